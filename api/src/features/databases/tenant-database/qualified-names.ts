import { quoteAnyIdentifier, quoteIdentifier } from '../../../db/cluster/names.ts';

/** A table or sequence of the tenant's own schema, as SQL writes it: also one that an operator has added, whatever its name is. */
export const inPublic = (name: string): string => `public.${quoteAnyIdentifier(name)}`;

/** A table of the schema that keeps rows of purges, as SQL writes it. */
export const inPurged = (name: string): string => `apotheca_purged.${quoteIdentifier(name)}`;
