-- What there was at the end of each day (decision 063). That of today is written again and again until the day is over.
create table growth_days (
  day        date    not null,
  tenants    integer not null,
  users      integer not null,
  size_bytes bigint  not null,
  constraint growth_days__day primary key (day),
  constraint growth_days__tenants__check check (tenants >= 0),
  constraint growth_days__users__check check (users >= 0),
  constraint growth_days__size_bytes__check check (size_bytes >= 0)
);

-- The curves begin with what can still be told: what has been deleted is missing, but for users.
insert into growth_days (day, tenants, users, size_bytes)
with changes (day, tenants, users, size_bytes) as materialized (
  select (created_at at time zone 'UTC')::date, count(*), 0, 0 from tenants group by 1
  union all select (created_at at time zone 'UTC')::date, 0, count(*), 0 from users group by 1
  -- Where a clock was set back, one may have been deleted before it was made.
  union all select (greatest(created_at, deleted_at) at time zone 'UTC')::date, 0, -count(*), 0 from users where deleted_at is not null group by 1
  union all select day, 0, 0, sum(change) from (
    select day, size_bytes - lag(size_bytes, 1, 0::bigint) over (partition by database_id order by day) as change from database_sizes
  ) of_each group by 1
)
select days.day, sum(tenants), sum(users), sum(size_bytes)
from (select (now() at time zone 'UTC')::date - back as day from generate_series(1, 371) back) days
join changes on changes.day <= days.day
group by days.day;
