-- Mails with a link go first, however many wait without one.
create index mails__due_at__link__idx on mails (due_at) where link_hash is not null;

-- What is due of each webhook: what waits for one that does not answer is not read to find what others get.
create index webhook_deliveries__webhook_id__due_at__idx on webhook_deliveries (webhook_id, due_at, entry_id) where state = 'pending';
create index webhook_deliveries__claimed__idx on webhook_deliveries (webhook_id)
  where state = 'pending' and claimed_until is not null;
drop index webhook_deliveries__due_at__idx;
