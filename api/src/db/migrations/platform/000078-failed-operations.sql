-- The dashboard asks every half minute for those that failed lately, among all that ever ran (decision 063).
create index operations__failed__idx on operations (finished_at) where state = 'failed';
