-- The hints that each person does not want to see again (decision 070). Whether a hint holds is derived and stands nowhere.

create table dismissed_hints (
  user_id       uuid        not null,
  hint          text        not null,
  dismissed_at  timestamptz not null,
  constraint dismissed_hints__user_id__hint primary key (user_id, hint),
  constraint dismissed_hints__user_id__users foreign key (user_id) references users on delete cascade
);
