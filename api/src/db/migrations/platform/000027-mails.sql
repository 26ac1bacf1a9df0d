-- Mails and links to choose a new password (DECISIONS §13, decision 046).

-- Mails that are to be sent. A row is gone once its mail was sent or came too late.
create table mails (
  id           uuid        not null,
  -- Address, subject and text, encrypted under a key that is not in the database: a mail may hold a link.
  sealed       bytea       not null,
  -- The mail is not sent later than this.
  valid_until  timestamptz not null,
  -- When it is tried next; while a server process sends it: when another one may.
  due_at       timestamptz not null,
  attempts     integer     not null default 0,
  constraint mails__id primary key (id)
);
create index mails__due_at__idx on mails (due_at);

-- A person's link to choose a new password: one at a time.
create table password_links (
  user_id     uuid        not null,
  -- SHA-256 of the link's token.
  token_hash  bytea       not null,
  expires_at  timestamptz not null,
  constraint password_links__user_id primary key (user_id),
  constraint password_links__user_id__users foreign key (user_id) references users on delete cascade,
  constraint password_links__token_hash unique (token_hash)
);

-- Whatever changes the password or the address, or ends the account, ends the link in the same transaction.
create function end_password_link() returns trigger
language plpgsql set search_path from current as $$
begin
  delete from password_links where user_id = new.id;
  return null;
end $$;

create trigger end_password_link after update of password_hash, email, is_active, deleted_at on users
  for each row when (
    old.password_hash is distinct from new.password_hash or old.email <> new.email
    or not new.is_active or new.deleted_at is not null
  )
  execute function end_password_link();
