-- Each process asks every minute for those whose deletion is unfinished. Not of these alone: the first entry of an index needs a page of
-- its own, and on a full disk no backup could be deleted to make room.
create index backups__state__idx on backups (state);
