-- In which language each person has the console (decision 066). A table of its own: no list shows it, so no list changes with it.

create table chosen_languages (
  user_id     uuid        not null,
  language    text        not null,
  updated_at  timestamptz not null,
  constraint chosen_languages__user_id primary key (user_id),
  constraint chosen_languages__user_id__users foreign key (user_id) references users on delete cascade,
  constraint chosen_languages__language check (language in ('en', 'es'))
);
