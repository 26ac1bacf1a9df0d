-- Events to others (decision 054). The audit trail is their outbox: each webhook has a cursor in it.

create table webhooks (
  id               uuid        not null default gen_random_uuid(),
  name             text        not null collate case_insensitive,
  kind             text        not null,
  -- Address and secrets, encrypted under a key that is not in the database: the address of a chat is its secret.
  sealed           bytea       not null,
  -- After a rotation: until when events are also signed with the secret before.
  previous_until   timestamptz,
  event_types      text[]      not null,
  is_active        boolean     not null default true,
  -- Why the server has deactivated it.
  inactive_reason  text        not null default '',
  -- The newest entry of the audit trail whose delivery was queued, or was not wanted.
  entry_cursor     bigint      not null,
  version          integer     not null default 1,
  created_by       uuid,
  updated_by       uuid,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  constraint webhooks__id primary key (id),
  constraint webhooks__name unique (name),
  constraint webhooks__created_by foreign key (created_by) references users on delete set null,
  constraint webhooks__updated_by foreign key (updated_by) references users on delete set null,
  constraint webhooks__kind check (kind in ('standard', 'chat')),
  constraint webhooks__event_types check (cardinality(event_types) > 0),
  constraint webhooks__is_active__inactive_reason check (not is_active or inactive_reason = '')
);
create index webhooks__created_by__idx on webhooks (created_by);
create index webhooks__updated_by__idx on webhooks (updated_by);

-- One event for one webhook. It holds what is sent, so it does not need the entry any more.
create table webhook_deliveries (
  id              uuid        not null default gen_random_uuid(),
  webhook_id      uuid        not null,
  entry_id        bigint      not null,
  -- As receivers get it, the same with each attempt.
  event_id        text        not null,
  event_type      text        not null,
  entity          text        not null,
  entity_id       text        not null,
  -- The very text that is signed and sent.
  body            text        not null,
  occurred_at     timestamptz not null,
  state           text        not null default 'pending',
  attempts        integer     not null default 0,
  -- Since when it has been tried, not counting the time in which it waited for earlier ones of its record.
  first_tried_at  timestamptz,
  last_tried_at   timestamptz,
  due_at          timestamptz not null,
  -- While a server process sends it: when another one may.
  claimed_until   timestamptz,
  last_status     integer,
  last_answer     text        not null default '',
  ended_at        timestamptz,
  constraint webhook_deliveries__id primary key (id),
  constraint webhook_deliveries__webhook_id__entry_id unique (webhook_id, entry_id),
  constraint webhook_deliveries__webhook_id foreign key (webhook_id) references webhooks on delete cascade,
  constraint webhook_deliveries__state check (state in ('pending', 'delivered', 'failed')),
  constraint webhook_deliveries__state__ended_at check ((state = 'pending') = (ended_at is null))
);
-- What is due, and what goes before it.
create index webhook_deliveries__due_at__idx on webhook_deliveries (due_at) where state = 'pending';
create index webhook_deliveries__record__idx on webhook_deliveries (webhook_id, entity, entity_id, entry_id) where state = 'pending';
create index webhook_deliveries__ended_at__idx on webhook_deliveries (ended_at);

-- Up to when the audit trail has been told that a name, person or address is blocked: each delay once, however often somebody tries.
alter table sign_in_attempts add column told_until timestamptz;
