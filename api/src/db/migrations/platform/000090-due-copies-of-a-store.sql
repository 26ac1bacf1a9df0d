-- The next copy of a store that is due is looked for in the order of due moments: one row is read, however many are due (decision 037). This takes
-- the place of the index without the store. That one goes first: whoever holds a lock to read may want to write, and would wait for this in a circle.
drop index backup_copies__due_at__idx;
create index backup_copies__store__due_at__idx on backup_copies (store, due_at);
