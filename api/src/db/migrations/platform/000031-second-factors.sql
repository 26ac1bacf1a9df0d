-- What people sign in with beside their password: an authenticator app (TOTP), passkeys (WebAuthn), and recovery codes (decision 050).

-- Moves with every change of what a user signs in with, and of the role, which may need a second factor. A sign-in opens a session
-- only if this is still what it was when the sign-in verified something.
alter table users add column credentials_version integer not null default 1;

create function move_credentials_version() returns trigger
language plpgsql as $$
begin
  if new.password_hash is distinct from old.password_hash or new.role_id is distinct from old.role_id then
    new.credentials_version := old.credentials_version + 1;
  end if;
  return new;
end $$;
create trigger move_credentials_version before update on users
  for each row execute function move_credentials_version();

alter table roles add column requires_second_factor boolean not null default false;

create table totp_factors (
  user_id    uuid        not null,
  -- Encrypted.
  secret     bytea       not null,
  -- The newest time step of which a code was used: none of it or before counts again.
  last_step  bigint      not null,
  created_at timestamptz not null,
  constraint totp_factors__user_id primary key (user_id),
  constraint totp_factors__user_id__users foreign key (user_id) references users on delete cascade
);

create table recovery_codes (
  user_id   uuid    not null,
  code_hash bytea   not null,
  is_used   boolean not null default false,
  constraint recovery_codes__user_id__code_hash primary key (user_id, code_hash),
  constraint recovery_codes__user_id__users foreign key (user_id) references users on delete cascade
);

create table passkeys (
  id            uuid        not null default gen_random_uuid(),
  user_id       uuid        not null,
  name          text        not null,
  -- As browsers send it, in base64url.
  credential_id text        not null collate "C",
  public_key    bytea       not null,
  transports    text[]      not null,
  -- Of the authenticator's signatures; those of synced passkeys stay 0.
  counter       bigint      not null,
  -- When the newest challenge was made that it has answered: no older one counts again.
  challenged_at timestamptz not null default '-infinity',
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  constraint passkeys__pkey primary key (id),
  constraint passkeys__credential_id unique (credential_id),
  constraint passkeys__user_id__users foreign key (user_id) references users on delete cascade
);
create index passkeys__user_id__idx on passkeys (user_id);

create function move_credentials_version_of_factor() returns trigger
language plpgsql as $$
begin
  update users set credentials_version = credentials_version + 1 where id in (select user_id from changed);
  return null;
end $$;
create trigger move_version_insert after insert on totp_factors referencing new table as changed
  for each statement execute function move_credentials_version_of_factor();
create trigger move_version_delete after delete on totp_factors referencing old table as changed
  for each statement execute function move_credentials_version_of_factor();
create trigger move_version_insert after insert on recovery_codes referencing new table as changed
  for each statement execute function move_credentials_version_of_factor();
create trigger move_version_delete after delete on recovery_codes referencing old table as changed
  for each statement execute function move_credentials_version_of_factor();
create trigger move_version_insert after insert on passkeys referencing new table as changed
  for each statement execute function move_credentials_version_of_factor();
create trigger move_version_delete after delete on passkeys referencing old table as changed
  for each statement execute function move_credentials_version_of_factor();

call track_changes('totp_factors', 'last_step');
call track_changes('passkeys', 'counter', 'challenged_at', 'last_used_at');
