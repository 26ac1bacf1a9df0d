-- Sign-ins under names that nobody has are counted as those under names that somebody has: whatever is the same user name in `users`
-- is one subject here too, full-width letters and soft hyphens included. What was counted so far is an hour's worth at most.
delete from sign_in_attempts;
alter table sign_in_attempts alter column subject type text collate case_insensitive;
create index sign_in_attempts__updated_at__idx on sign_in_attempts (updated_at);
