-- Copies of archives in stores (APOTHECA_BACKUP_STORES). A backup's row stays until the last copy is gone.
create table backup_copies (
  backup_id    uuid        not null,
  store        text        not null,
  -- waiting: not begun; copying: a server process works on it; failed: begun again at due_at; deleting: to be removed from the store
  state        text        not null default 'waiting',
  -- Of what lies in the store, which differs from the archive where it is encrypted. The SHA-256 is empty where no whole copy is there.
  is_encrypted boolean     not null default false,
  size_bytes   bigint      not null default 0,
  sha256       text        not null default '',
  -- Failures since the last success, and the reason of the last one.
  attempts     int         not null default 0,
  last_error   text        not null default '',
  -- When there is something to do: copy, try again, check the copy, remove it; and until when a server process has it to itself.
  due_at       timestamptz not null default now(),
  -- Of the server process that has it.
  run          uuid,
  checked_at   timestamptz,
  constraint backup_copies__backup_id__store primary key (backup_id, store),
  constraint backup_copies__backup_id foreign key (backup_id) references backups on delete restrict,
  constraint backup_copies__state check (state in ('waiting', 'copying', 'copied', 'failed', 'deleting'))
);
create index backup_copies__due_at__idx on backup_copies (due_at);
create index backup_copies__checked_at__idx on backup_copies (checked_at);
call track_changes('backup_copies', 'due_at', 'run', 'checked_at');
