-- The same of those that are to be made or removed (000090).
drop index backup_copies__due_at__unless_copied__idx;
create index backup_copies__store__due_at__unless_copied__idx on backup_copies (store, due_at) where state <> 'copied';
