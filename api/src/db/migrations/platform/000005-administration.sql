-- Users, permissions and menus as they are administered (SPEC §2.11, §2.14, §2.15), and versions that find stale edits.

-- Counts the changes of a row: an edit that began with an older one is refused.
alter table users add column version integer not null default 1;
alter table tenants add column version integer not null default 1;

-- The platform's number of a user, shown read-only.
alter table users
  add column sp_srx_id bigint not null generated always as identity,
  add column deleted_by uuid,
  add constraint users__sp_srx_id unique (sp_srx_id),
  add constraint users__deleted_by foreign key (deleted_by) references users on delete set null;
create index users__deleted_by__idx on users (deleted_by);
-- Names are sorted whatever their case, as every list of names.
alter table users
  alter column first_name type text collate case_insensitive,
  alter column last_name type text collate case_insensitive;

-- When a session was last seen, to the minute; last_used_at moves with refreshes only, and by it a session ends.
alter table sessions add column last_seen_at timestamptz;
update sessions set last_seen_at = last_used_at;
alter table sessions alter column last_seen_at set not null;

alter table permissions
  add column parent_permission_id uuid,
  add column route                text,
  add column icon                 text,
  add column is_menu              boolean     not null default false,
  -- Stands in the code's catalogue; what is no longer there goes with the next sync.
  add column is_built_in          boolean     not null default false,
  add column version              integer     not null default 1,
  add column created_by           uuid,
  add column updated_by           uuid,
  add column updated_at           timestamptz not null default now(),
  add constraint permissions__parent_permission_id
    foreign key (parent_permission_id) references permissions on delete restrict,
  add constraint permissions__created_by foreign key (created_by) references users on delete set null,
  add constraint permissions__updated_by foreign key (updated_by) references users on delete set null,
  add constraint permissions__is_menu check (is_menu = (route is not null) and (is_menu or parent_permission_id is null)),
  add constraint permissions__parent_permission_id__other check (parent_permission_id <> id);
create index permissions__parent_permission_id__idx on permissions (parent_permission_id);
create index permissions__created_by__idx on permissions (created_by);
create index permissions__updated_by__idx on permissions (updated_by);
-- Until now there were none but the catalogue's.
update permissions set is_built_in = true;
