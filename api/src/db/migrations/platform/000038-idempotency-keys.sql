-- Keys that callers send along, so that a call that is sent twice makes one thing (decision 055). A row is gone a day after its call.
create table idempotency_keys (
  -- The public id of an API key, else the id of a user.
  caller       text        not null,
  key          text        not null,
  -- SHA-256 of the call and of what it was asked.
  request      bytea       not null,
  -- The attempt at the call that may still make something, and until when it counts as going on.
  attempt      uuid        not null,
  held_until   timestamptz not null,
  -- Set in the transaction that makes something: the id of what was made, or the operation that makes it.
  made_id      text,
  operation_id uuid,
  -- The answer, encrypted under a key that is not in the database; null while there is none.
  answer       bytea,
  created_at   timestamptz not null,
  constraint idempotency_keys__caller__key primary key (caller, key)
);
create index idempotency_keys__created_at__idx on idempotency_keys (created_at);
