-- Address parameters of a list under a name (decision 060).
create table saved_views (
  id         uuid        not null default gen_random_uuid(),
  list       text        not null,
  name       text        not null,
  query      text        not null,
  owner_id   uuid        not null,
  -- The role that it is shared with; null: with none.
  role_id    uuid,
  created_at timestamptz not null,
  constraint saved_views__id primary key (id),
  constraint saved_views__owner_id foreign key (owner_id) references users on delete cascade,
  constraint saved_views__role_id foreign key (role_id) references roles on delete set null,
  constraint saved_views__owner_id__list__name unique (owner_id, list, name)
);
create index saved_views__role_id__idx on saved_views (role_id);
