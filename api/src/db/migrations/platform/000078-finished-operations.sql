-- The dashboard asks every half minute for those that failed lately, among all that ever ran (decision 063). Not of the failed ones
-- alone: the first entry of an index needs a page of its own, and on a full disk the first failure could not be noted.
create index operations__finished_at__idx on operations (finished_at);
