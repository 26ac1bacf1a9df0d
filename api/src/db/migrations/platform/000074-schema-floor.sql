-- The oldest version that this schema serves (decision 074). A migration that takes away what an older version reads raises it.
create table schema_floor (
  is_only boolean default true constraint schema_floor_pkey primary key check (is_only),
  oldest_version text not null
);
insert into schema_floor (oldest_version) values ('0.1.0');
