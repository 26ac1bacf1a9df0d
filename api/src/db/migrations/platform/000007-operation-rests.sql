-- An operation that was cut off is given up when its server processes died too often. What they outlived counts apart: PostgreSQL was away,
-- or the server was stopped.
alter table operations
  -- Of its attempts, those that did not end with their server process.
  add column outlived  integer not null default 0,
  -- By PostgreSQL's clock: it is not begun anew before.
  add column resume_at timestamptz;
