-- The curve of growth reads the sizes of every database in the order of their days: from the index alone, without a sort
-- (decision 063).
alter table database_sizes
  drop constraint database_sizes__database_id__day,
  add constraint database_sizes__database_id__day primary key (database_id, day) include (size_bytes);
