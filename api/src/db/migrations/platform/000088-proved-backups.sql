-- The list of databases, and the figures, look up whether a database has a proved backup: where none was proved, each would read all of its backups
-- (decision 063).
create index backups__proved__idx on backups (database_id, created_at desc) where proof ->> 'result' = 'proved';
