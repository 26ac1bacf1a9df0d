-- Tenants and the registry of their databases (DECISIONS §6).

create table tenant_statuses (
  id          text    not null,
  name        text    not null,
  sort_order  integer not null,
  constraint tenant_statuses__id primary key (id),
  constraint tenant_statuses__name unique (name)
);
insert into tenant_statuses (id, name, sort_order) values
  ('new', 'New', 1),
  ('onboarding', 'Onboarding', 2),
  ('live', 'Live', 3),
  ('suspended', 'Suspended', 4),
  ('closed', 'Closed', 5);

create table emrs (
  id          text    not null,
  name        text    not null,
  sort_order  integer not null,
  constraint emrs__id primary key (id),
  constraint emrs__name unique (name)
);
insert into emrs (id, name, sort_order) values
  ('athenahealth', 'athenahealth', 1),
  ('epic', 'Epic', 2),
  ('oracle-health', 'Oracle Health', 3),
  ('eclinicalworks', 'eClinicalWorks', 4),
  ('nextgen', 'NextGen', 5),
  ('none', 'None', 6);

-- Filled from the runtime's IANA list at start.
create table timezones (
  id              text    not null,
  display_name    text    not null,
  offset_minutes  integer not null,
  constraint timezones__id primary key (id)
);

create table tenants (
  id                       uuid        not null,
  code                     text        not null collate case_insensitive,
  customer_code            text        not null collate case_insensitive,
  name                     text        not null,
  first_name               text        not null collate case_insensitive,
  last_name                text        not null collate case_insensitive,
  email                    text        not null,
  phone                    text        not null,
  address_line1            text        not null,
  address_line2            text        not null,
  address_line3            text        not null,
  city                     text        not null,
  state                    text        not null,
  zip_code                 text        not null,
  emr_id                   text        not null,
  timezone_id              text        not null,
  tenant_status_id         text        not null,
  tenant_version           text        not null,
  tenant_api_url           text        not null,
  configuration            text        not null,
  subdomain                text        not null,
  logo_url                 text        not null,
  color_scheme             text        not null,
  subscription_level       text        not null,
  subscription_start_date  date        not null,
  subscription_end_date    date        not null,
  license_count            integer     not null,
  is_active                boolean     not null,
  created_by               uuid,
  updated_by               uuid,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  constraint tenants__id primary key (id),
  constraint tenants__code unique (code),
  constraint tenants__emr_id foreign key (emr_id) references emrs on delete restrict,
  constraint tenants__timezone_id foreign key (timezone_id) references timezones on delete restrict,
  constraint tenants__tenant_status_id foreign key (tenant_status_id) references tenant_statuses on delete restrict,
  constraint tenants__created_by foreign key (created_by) references users on delete set null,
  constraint tenants__updated_by foreign key (updated_by) references users on delete set null,
  constraint tenants__code__length check (char_length(code) between 1 and 100),
  constraint tenants__license_count check (license_count >= 0)
);
create index tenants__emr_id__idx on tenants (emr_id);
create index tenants__timezone_id__idx on tenants (timezone_id);
create index tenants__tenant_status_id__idx on tenants (tenant_status_id);
create index tenants__created_by__idx on tenants (created_by);
create index tenants__updated_by__idx on tenants (updated_by);

-- Every database the platform made. `name` is what people see; `physical_name` is the PostgreSQL identifier, given once.
-- A row is written before anything of it exists in the cluster and removed after everything of it is gone, so a crash
-- leaves nothing that no row tells of: 'creating' is undone and 'deleting' finished at the next start.
create table databases (
  id             uuid        not null,
  name           text        not null collate case_insensitive,
  physical_name  text        not null,
  role_name      text        not null,
  -- AES-256-GCM under a key derived from APOTHECA_SECRET.
  role_password  bytea       not null,
  server         text        not null default 'default',
  tenant_id      uuid,
  copied_from    uuid,
  state          text        not null,
  created_at     timestamptz not null,
  constraint databases__id primary key (id),
  constraint databases__name unique (name),
  constraint databases__physical_name unique (physical_name),
  constraint databases__role_name unique (role_name),
  constraint databases__tenant_id unique (tenant_id),
  constraint databases__tenant_id__tenants foreign key (tenant_id) references tenants on delete restrict,
  constraint databases__copied_from foreign key (copied_from) references databases on delete set null,
  constraint databases__state check (state in ('creating', 'ready', 'deleting')),
  constraint databases__physical_name__identifier check (physical_name ~ '^[a-z][a-z0-9_]{0,62}$')
);
create index databases__copied_from__idx on databases (copied_from);
create index databases__state__idx on databases (state) where state <> 'ready';
