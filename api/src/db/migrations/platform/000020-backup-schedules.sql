-- Backups by schedule (decision 038): what is wanted, and when each database is due.

-- The row without a database is the default of all tenants' databases.
create table backup_schedules (
  database_id   uuid,
  -- 'default': as the row without a database says.
  frequency     text        not null,
  -- In the time zone of the tenant.
  hour          integer     not null,
  -- ISO 8601: 1 is Monday.
  weekday       integer     not null,
  keep_hourly   integer     not null,
  keep_daily    integer     not null,
  keep_weekly   integer     not null,
  keep_monthly  integer     not null,
  version       integer     not null default 1,
  constraint backup_schedules__database_id unique nulls not distinct (database_id),
  constraint backup_schedules__database_id__databases foreign key (database_id) references databases on delete cascade,
  constraint backup_schedules__frequency check (frequency in ('default', 'off', 'hourly', 'daily', 'weekly')),
  constraint backup_schedules__frequency__default check (database_id is not null or frequency <> 'default'),
  constraint backup_schedules__hour check (hour between 0 and 23),
  constraint backup_schedules__weekday check (weekday between 1 and 7),
  constraint backup_schedules__keep check (least(keep_hourly, keep_daily, keep_weekly, keep_monthly) >= 0)
);
insert into backup_schedules (frequency, hour, weekday, keep_hourly, keep_daily, keep_weekly, keep_monthly)
values ('off', 2, 7, 24, 7, 4, 12);

-- A time zone as this PostgreSQL knows it: one unknown name is not to stop the schedules of all the others.
create function known_time_zone(zone text) returns text
language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

-- The last moment up to `around` at which a schedule is due, and the next one after it. Hours count in UTC, as one may come twice in a
-- zone or not at all. Days are those of the zone: each has one moment. Where its hour is skipped it comes an hour later; where
-- its hour comes twice, PostgreSQL takes the second one.
create function backup_due(frequency text, hour integer, weekday integer, minute integer, zone text, around timestamptz)
returns table (last timestamptz, next timestamptz)
language sql stable as $$
  select max(moment) filter (where moment <= around), min(moment) filter (where moment > around)
  from (
    select (date_trunc('hour', around at time zone 'UTC') + make_interval(hours => step, mins => minute)) at time zone 'UTC' as moment
    from generate_series(-1, 1) as step
    where frequency = 'hourly'
    union all
    select (day + make_interval(hours => hour, mins => minute)) at time zone zone
    from (
      select date_trunc('day', around at time zone zone) + make_interval(days => step) as day
      from generate_series(-8, 8) as step
    ) as days
    where frequency = 'daily' or frequency = 'weekly' and extract(isodow from day) = weekday
  ) as moments
$$;

-- The schedule that counts for each database. One without a tenant, such as a clone, has none but its own.
create view effective_backup_schedules as
select
  d.id as database_id,
  own.database_id is not null as is_own,
  s.frequency, s.hour, s.weekday, s.keep_hourly, s.keep_daily, s.keep_weekly, s.keep_monthly,
  coalesce(t.timezone_id, 'UTC') as time_zone,
  -- Spreads what is due at the same hour over that hour, by the first digits of the random id.
  ('x' || left(d.id::text, 7))::bit(28)::integer % 60 as minute,
  -- Differs when a database is due at other times.
  concat_ws(' ', s.frequency, s.hour, s.weekday, t.timezone_id) as rule
from databases d
left join tenants t on t.id = d.tenant_id
left join backup_schedules own on own.database_id = d.id and own.frequency <> 'default'
join backup_schedules s
  on s.database_id is not distinct from own.database_id and (own.database_id is not null or d.tenant_id is not null);

-- When each database with a schedule is due, and how its last scheduled backup ended.
create table backup_schedule_runs (
  database_id   uuid        not null,
  -- That of the view, from which due_at follows.
  rule          text        not null,
  -- Stays until that backup has succeeded.
  due_at        timestamptz not null,
  -- After a failure: not before.
  retry_at      timestamptz,
  failures      integer     not null default 0,
  -- The backup that was started, until its end has been dealt with.
  operation_id  uuid,
  last_result   text,
  last_message  text        not null default '',
  last_ended_at timestamptz,
  -- Whether the newest backup is older than the schedule allows.
  is_late       boolean     not null default false,
  constraint backup_schedule_runs__database_id primary key (database_id),
  constraint backup_schedule_runs__database_id__databases foreign key (database_id) references databases on delete cascade,
  -- Deferred: the operation's row comes later in its transaction. One that is forgotten after 90 days leaves nothing waiting here.
  constraint backup_schedule_runs__operation_id foreign key (operation_id) references operations on delete set null
    deferrable initially deferred,
  constraint backup_schedule_runs__last_result check (last_result in ('succeeded', 'failed', 'cancelled'))
);

create index backup_schedule_runs__operation_id__idx on backup_schedule_runs (operation_id);

-- The moment at which a schedule wanted it; null: made by hand or uploaded. Each moment has one backup.
alter table backups add column due_at timestamptz;
create unique index backups__database_id__due_at on backups (database_id, due_at) where due_at is not null;

call track_changes('backup_schedules');
call track_changes('backup_schedule_runs');
