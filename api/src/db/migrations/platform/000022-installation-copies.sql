-- Backups of the installation itself (control database and secret) in stores: a row for each store (decision 041).
create table installation_copies (
  store       text        not null,
  -- waiting: none yet; copying: a server process makes one; copied: the newest one is whole; failed: begun again at due_at
  state       text        not null default 'waiting',
  -- The newest whole one: its object, when it was made, and what the control database said then.
  object      text        not null default '',
  size_bytes  bigint      not null default 0,
  copied_at   timestamptz,
  mark        text        not null default '',
  -- The object that is being written, or was when its server process was killed.
  writing     text        not null default '',
  -- Failures since the last success, and the reason of the last one.
  attempts    int         not null default 0,
  last_error  text        not null default '',
  -- When the next one may be made, and until when a server process has the row to itself.
  due_at      timestamptz not null default now(),
  -- Of the server process that has it.
  run         uuid,
  constraint installation_copies__store primary key (store),
  constraint installation_copies__state check (state in ('waiting', 'copying', 'copied', 'failed'))
);
