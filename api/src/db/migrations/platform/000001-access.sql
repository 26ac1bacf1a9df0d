-- Who may do what: roles, permissions, users, sessions (DECISIONS §4, §5, §10).

-- Names that people type are equal whatever their case, in every script: comparison, uniqueness and order follow from the type.
create collation case_insensitive (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

create table roles (
  id          uuid        not null default gen_random_uuid(),
  name        text        not null collate case_insensitive,
  created_at  timestamptz not null default now(),
  constraint roles__id primary key (id),
  constraint roles__name unique (name)
);

create table permissions (
  id          uuid        not null default gen_random_uuid(),
  module      text        not null,
  name        text        not null,
  identifier  text        not null collate case_insensitive,
  sort_order  integer     not null default 0,
  is_active   boolean     not null default true,
  created_at  timestamptz not null default now(),
  constraint permissions__id primary key (id),
  constraint permissions__identifier unique (identifier),
  constraint permissions__sort_order check (sort_order >= 0)
);

create table role_permissions (
  role_id        uuid not null,
  permission_id  uuid not null,
  constraint role_permissions__role_id__permission_id primary key (role_id, permission_id),
  constraint role_permissions__role_id foreign key (role_id) references roles on delete cascade,
  constraint role_permissions__permission_id foreign key (permission_id) references permissions on delete cascade
);
create index role_permissions__permission_id__idx on role_permissions (permission_id);

create table clinical_roles (
  id                text    not null,
  role_description  text    not null,
  sort_order        integer not null,
  constraint clinical_roles__id primary key (id)
);
insert into clinical_roles (id, role_description, sort_order) values
  ('physician', 'Physician', 1),
  ('nurse-practitioner', 'Nurse Practitioner', 2),
  ('physician-assistant', 'Physician Assistant', 3),
  ('registered-nurse', 'Registered Nurse', 4),
  ('pharmacist', 'Pharmacist', 5),
  ('pharmacy-technician', 'Pharmacy Technician', 6),
  ('medical-assistant', 'Medical Assistant', 7),
  ('front-desk', 'Front Desk', 8);

create table users (
  id                uuid        not null default gen_random_uuid(),
  user_name         text        not null collate case_insensitive default '',
  email             text        not null collate case_insensitive default '',
  -- argon2id in PHC string format; null: nobody can sign in as this user yet.
  password_hash     text,
  first_name        text        not null,
  last_name         text        not null,
  middle_initial    text        not null default '',
  title             text        not null default '',
  dea_number        text        not null default 'NA',
  phone             text        not null default '',
  notes             text        not null default '',
  role_id           uuid        not null,
  clinical_role_id  text,
  is_active         boolean     not null default true,
  deleted_at        timestamptz,
  created_by        uuid,
  updated_by        uuid,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint users__id primary key (id),
  constraint users__role_id foreign key (role_id) references roles on delete restrict,
  constraint users__clinical_role_id foreign key (clinical_role_id) references clinical_roles on delete restrict,
  constraint users__created_by foreign key (created_by) references users on delete set null,
  constraint users__updated_by foreign key (updated_by) references users on delete set null,
  constraint users__user_name__or__email check (user_name <> '' or email <> '')
);
create unique index users__user_name on users (user_name) where user_name <> '' and deleted_at is null;
create unique index users__email on users (email) where email <> '' and deleted_at is null;
create index users__role_id__idx on users (role_id);
create index users__clinical_role_id__idx on users (clinical_role_id);
create index users__created_by__idx on users (created_by);
create index users__updated_by__idx on users (updated_by);

-- One row a sign-in (kind console) or API token (kind api). The access token is signed deterministically from id,
-- access_token_id and access_issued_at, so that the loser of a refresh race gets the winner's very token (DECISIONS §4).
create table sessions (
  id                        uuid        not null,
  user_id                   uuid        not null,
  kind                      text        not null,
  name                      text        not null default '',
  refresh_token_hash        bytea,
  access_token_id           uuid        not null,
  access_issued_at          timestamptz not null,
  previous_access_token_id  uuid,
  address                   text        not null,
  user_agent                text        not null default '',
  created_at                timestamptz not null,
  last_used_at              timestamptz not null,
  expires_at                timestamptz not null,
  revoked_at                timestamptz,
  revoked_reason            text,
  constraint sessions__id primary key (id),
  constraint sessions__user_id foreign key (user_id) references users on delete cascade,
  constraint sessions__kind check (kind in ('console', 'api')),
  constraint sessions__refresh_token_hash unique (refresh_token_hash),
  constraint sessions__refresh_token_hash__kind check ((kind = 'console') = (refresh_token_hash is not null))
);
create index sessions__user_id__idx on sessions (user_id);
create index sessions__expires_at__idx on sessions (expires_at);

-- Failed and still undecided sign-ins, a row each for the account typed and the address it came from.
create table sign_in_attempts (
  subject        text        not null,
  attempts       integer     not null,
  blocked_until  timestamptz not null,
  updated_at     timestamptz not null,
  constraint sign_in_attempts__subject primary key (subject)
);
