-- The schedule that counts for each database, as before. 'is not distinct from' is no condition for a hash join: each database was
-- compared with each schedule, which took 15 ms with 300 databases, and 150 ms with 1,000, three times in each tick of the schedules.
create or replace view effective_backup_schedules as
select
  d.id as database_id,
  own.database_id is not null as is_own,
  s.frequency, s.hour, s.weekday, s.keep_hourly, s.keep_daily, s.keep_weekly, s.keep_monthly,
  coalesce(t.timezone_id, 'UTC') as time_zone,
  ('x' || left(d.id::text, 7))::bit(28)::integer % 60 as minute,
  concat_ws(' ', s.frequency, s.hour, s.weekday, t.timezone_id) as rule
from databases d
left join tenants t on t.id = d.tenant_id
left join backup_schedules own on own.database_id = d.id and own.frequency <> 'default'
-- The nil UUID stands for the default, which has no database.
join backup_schedules s
  on coalesce(s.database_id, '00000000-0000-0000-0000-000000000000') = coalesce(own.database_id, '00000000-0000-0000-0000-000000000000')
where own.database_id is not null or d.tenant_id is not null;
