-- A backup whose deletion has begun: its row goes once its archive is gone, so that neither is ever left without the other.
alter table backups
  drop constraint backups__state,
  add constraint backups__state check (state in ('writing', 'ready', 'deleting'));
