-- When the person of a sign-in last proved who they are (decision 045). An API token cannot prove anything.
alter table sessions add column proved_at timestamptz;
update sessions set proved_at = created_at where kind = 'console';
alter table sessions add constraint sessions__proved_at__kind check ((kind = 'console') = (proved_at is not null));
