import { sql } from 'kysely';

/**
 * Whether a tenant has a subdomain, in any case, as programs look it up and as no two may have it. By ICU: the collation of the database may
 * know letters of ASCII only, or have rules of its own for some.
 * @param tenants what the statement calls the table of tenants
 * @param subdomain not empty: many tenants have none
 */
export const hasSubdomain = (tenants: string, subdomain: string) => {
  const own = sql.ref(`${tenants}.subdomain`);
  // As the index tenants__subdomain has it.
  return sql<boolean>`${own} <> '' and lower(${own} collate "und-x-icu") = lower(${subdomain} collate "und-x-icu")`;
};
