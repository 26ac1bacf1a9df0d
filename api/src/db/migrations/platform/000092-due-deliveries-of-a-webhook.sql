-- What is due of each webhook: what waits for one that does not answer is not read to find what others get. It takes the place of the index of all
-- webhooks, which goes first: whoever holds a lock to read may want to write, and would wait for this in a circle.
drop index webhook_deliveries__due_at__idx;
create index webhook_deliveries__webhook_id__due_at__idx on webhook_deliveries (webhook_id, due_at, entry_id) where state = 'pending';
