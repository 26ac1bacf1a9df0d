-- The steps towards the end of a subscription that were announced of the tenant that was deleted with the database, as rows of expiry_notices: put
-- back, it is told of none of them again.
alter table parked_databases add column expiry_notices jsonb;
