-- Each look for a copy that is due finds those too whose moment a clock set that was ahead (decision 038). Of all but checks that is soon: it
-- is not looked for among all the checks of the next days.
create index backup_copies__due_at__unless_copied__idx on backup_copies (due_at) where state <> 'copied';
