-- The next backup to be proved is looked for each minute and after each proof, without reading all backups (decision 040).
create index backups__proof_begun_at__idx on backups (proof_begun_at nulls first, created_at desc) include (database_id)
  where state = 'ready' and origin = 'made';
