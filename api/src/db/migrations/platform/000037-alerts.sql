-- Alerts to people by mail (decision 054).

create table alerts (
  user_id       uuid        not null,
  event_types   text[]      not null,
  mode          text        not null,
  -- Of daily mails, in the time zone.
  hour          integer     not null,
  time_zone     text        not null,
  -- The newest entry of the audit trail of which the person was told, or need not be.
  entry_cursor  bigint      not null,
  -- Before this moment no mail is written.
  due_at        timestamptz not null,
  constraint alerts__user_id primary key (user_id),
  constraint alerts__user_id__users foreign key (user_id) references users on delete cascade,
  constraint alerts__mode check (mode in ('at-once', 'daily')),
  constraint alerts__hour check (hour between 0 and 23),
  constraint alerts__event_types check (cardinality(event_types) > 0)
);

-- A mail that only its reader may have: it is not sent once they may no longer see what it tells of.
alter table mails add column reader_id uuid;
alter table mails add column permissions text[] not null default '{}';
alter table mails add constraint mails__reader_id foreign key (reader_id) references users on delete cascade;
create index mails__reader_id__idx on mails (reader_id);
