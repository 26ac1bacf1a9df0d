-- Roles of one's own can be renamed: an edit carries the version that it began with, as for other records.
alter table roles add column version integer not null default 1;
