-- How each person has arranged the lists of the console (decision 059).

create table list_layouts (
  user_id     uuid        not null,
  list        text        not null,
  layout      jsonb       not null,
  updated_at  timestamptz not null,
  constraint list_layouts__user_id__list primary key (user_id, list),
  constraint list_layouts__user_id foreign key (user_id) references users on delete cascade,
  constraint list_layouts__layout check (octet_length(layout::text) <= 8192)
);
