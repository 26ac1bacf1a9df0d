-- The list of all backups is read a page at a time, newest first, and searched by the names of databases: of what a page does not show only this
-- index is read (decision 033).
create index backups__created_at__idx on backups (created_at desc, id) include (database_name) where state = 'ready';
