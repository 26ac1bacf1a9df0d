import type { DatabaseDetails } from '@apotheca/contract/databases';

/** What the tabs about the tenant's database share. */
export interface DatabaseTabProps {
  databaseName: string;
  /** The call that answers size, sessions and tables of the database. */
  details: {
    data?: DatabaseDetails;
    isError: boolean;
    error?: { message?: string };
    isFetching: boolean;
    refetch: () => unknown;
  };
}
