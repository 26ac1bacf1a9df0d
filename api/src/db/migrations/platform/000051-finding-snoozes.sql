-- What people have left out of the dashboard for a while (decision 063).
create table finding_snoozes (
  kind        text        not null,
  -- An id of whatever the kind is about.
  record_id   text        not null,
  -- The last day, in UTC.
  until       date        not null,
  reason      text        not null,
  created_by  uuid,
  created_at  timestamptz not null,
  constraint finding_snoozes__kind__record_id primary key (kind, record_id),
  constraint finding_snoozes__created_by foreign key (created_by) references users on delete set null
);
create index finding_snoozes__created_by__idx on finding_snoozes (created_by);
create index finding_snoozes__until__idx on finding_snoozes (until);
