-- What databases took on disk: of the last three months the first size measured on each day, of older times that of each week.
create table database_sizes (
  database_id uuid   not null,
  day         date   not null,
  size_bytes  bigint not null,
  constraint database_sizes__database_id__day primary key (database_id, day),
  constraint database_sizes__database_id__databases foreign key (database_id) references databases on delete cascade,
  constraint database_sizes__size_bytes__check check (size_bytes >= 0)
);
-- The oldest are deleted by their day.
create index database_sizes__day__idx on database_sizes (day);

-- The curve begins with what is known.
insert into database_sizes (database_id, day, size_bytes)
select id, (measured_at at time zone 'UTC')::date, size_bytes from databases
where size_bytes is not null and measured_at is not null;
