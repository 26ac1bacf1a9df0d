-- The beginnings of the SHA-256 of each piece of a copy, one after another: they tell where a copy was changed, also of an encrypted
-- one, which this server cannot open. Empty for copies that were made before.
alter table backup_copies add column pieces bytea not null default '';
