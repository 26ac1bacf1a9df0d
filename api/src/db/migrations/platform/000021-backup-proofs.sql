-- Proof of restore (decision 040): how the last restore of each backup into a scratch database ended.
alter table backups
  -- As contract/backups `backupProof`; null: it was never proved.
  add column proof jsonb,
  -- When the last proof was queued.
  add column proof_begun_at timestamptz,
  -- Whether a backup was queued in place of this one, whose proof failed.
  add column is_renewed boolean not null default false;
create index backups__failed_proof__idx on backups (database_id) where proof ->> 'result' = 'failed';
