-- What the platform keeps for itself in a tenant's database. It has a schema of its own, so that no purge, backup list or
-- tenant statement over `public` ever meets it.

create schema apotheca;

-- The tenant's copy of the permission catalogue. A sync compares three values of is_active: the catalogue's, the one here,
-- and the one that the last sync wrote (synced_is_active). Where the last two differ, the tenant decided, and that stays.
create table apotheca.permissions (
  id                   uuid        not null,
  parent_permission_id uuid,
  module               text        not null,
  name                 text        not null,
  identifier           text        not null,
  route                text,
  icon                 text,
  sort_order           integer     not null default 0,
  is_active            boolean     not null default true,
  is_menu              boolean     not null default false,
  synced_is_active     boolean     not null default true,
  synced_at            timestamptz not null default now(),

  constraint permissions__id primary key (id),
  constraint permissions__identifier unique (identifier),
  constraint permissions__parent_permission_id
    foreign key (parent_permission_id) references apotheca.permissions on delete restrict,
  constraint permissions__sort_order_not_negative check (sort_order >= 0)
);

create index permissions__parent_permission_id__idx on apotheca.permissions (parent_permission_id);

-- One row for every migration applied; the migration runner writes it in the migration's own transaction.
create table apotheca.schema_version (
  version    integer     not null,
  name       text        not null,
  applied_at timestamptz not null default now(),

  constraint schema_version__version primary key (version)
);

comment on schema apotheca is 'The platform''s own tables: read by the tenant, written by the platform, never purged.';
comment on table apotheca.permissions is 'The permissions synced from the platform''s catalogue, menus among them.';
comment on column apotheca.permissions.synced_is_active is 'is_active as the last sync wrote it';
comment on table apotheca.schema_version is 'The migrations applied to this database.';
