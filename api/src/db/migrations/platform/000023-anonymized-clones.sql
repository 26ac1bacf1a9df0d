-- Clones that were anonymized before anybody could connect to them, and when each is made anew from its source by itself (decision 042).
-- The source is `copied_from` of the database's row.
create table anonymized_clones (
  database_id  uuid        not null,
  -- Of which moment its rows are.
  refreshed_at timestamptz not null,
  frequency    text        not null default 'off',
  -- In the time zone of the source's tenant.
  hour         integer     not null default 2,
  -- ISO 8601: 1 is Monday.
  weekday      integer     not null default 7,
  -- When it is refreshed next; null: only by hand.
  due_at       timestamptz,
  version      integer     not null default 1,
  constraint anonymized_clones__database_id primary key (database_id),
  constraint anonymized_clones__database_id__databases foreign key (database_id) references databases on delete cascade,
  constraint anonymized_clones__frequency check (frequency in ('off', 'daily', 'weekly')),
  constraint anonymized_clones__due_at check ((frequency = 'off') = (due_at is null)),
  constraint anonymized_clones__hour check (hour between 0 and 23),
  constraint anonymized_clones__weekday check (weekday between 1 and 7)
);
call track_changes('anonymized_clones');
