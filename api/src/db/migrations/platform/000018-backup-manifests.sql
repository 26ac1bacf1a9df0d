-- Rows and checksum of each table of an archive, and what it has beyond the platform's own schema, as at the end of its file. Absent for
-- archives of earlier versions, and for those from elsewhere that have none.
alter table backups add column manifest jsonb;
