-- Mails with a link go first, however many wait without one.
create index mails__due_at__link__idx on mails (due_at) where link_hash is not null;
