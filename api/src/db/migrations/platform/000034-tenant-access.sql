-- What the programs of a tenant may do in its database (decision 053): as PostgreSQL was last told.
alter table databases
  add column access text not null default 'open',
  add constraint databases__access check (access in ('open', 'read-only', 'closed'));

-- Until when the end of a subscription was put off.
alter table tenants add column postponed_to date;
