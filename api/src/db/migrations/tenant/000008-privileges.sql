-- What a tenant's own login role may do here, as a member of the group apotheca_tenant: everything with the rows of public, but
-- nothing to its shape; look at the platform's tables, but not write them. Who may connect at all is decided per database.

revoke all on schema public from public;
grant usage on schema public, apotheca to apotheca_tenant;

grant select, insert, update, delete, truncate on all tables in schema public to apotheca_tenant;
grant usage, select, update on all sequences in schema public to apotheca_tenant;
grant select on all tables in schema apotheca to apotheca_tenant;

-- The same for what later migrations add, as long as the same admin role runs them.
alter default privileges in schema public
  grant select, insert, update, delete, truncate on tables to apotheca_tenant;
alter default privileges in schema public
  grant usage, select, update on sequences to apotheca_tenant;
alter default privileges in schema apotheca
  grant select on tables to apotheca_tenant;
