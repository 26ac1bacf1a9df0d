-- How many of a webhook are on their way is counted for each claim.
create index webhook_deliveries__claimed__idx on webhook_deliveries (webhook_id)
  where state = 'pending' and claimed_until is not null;
