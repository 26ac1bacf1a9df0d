-- A cluster has one record, also where two make one at once under two addresses. Of two that are there already, the later one no longer says which
-- cluster it is.
update database_servers d set system_identifier = null
where exists (
  select from database_servers earlier
  where earlier.system_identifier = d.system_identifier and (earlier.created_at, earlier.id) < (d.created_at, d.id)
);

alter table database_servers
  add constraint database_servers__system_identifier unique (system_identifier);
