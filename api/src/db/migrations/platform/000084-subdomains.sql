-- Programs look their tenant up by its subdomain, in any case (hasSubdomain in subdomains.ts). Not unique: some that are older share one.
create index tenants__subdomain on tenants (lower(subdomain collate "und-x-icu")) where subdomain <> '';
