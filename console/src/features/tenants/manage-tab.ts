import type { DatabaseDetails } from '@apotheca/contract/databases';

/** The shared props of the tabs about the tenant's database. */
export interface DatabaseTabProps {
  databaseName: string;
  /** The query of size, sessions and tables of the database. */
  details: {
    data?: DatabaseDetails;
    isError: boolean;
    error?: { message?: string };
    isFetching: boolean;
    refetch: () => unknown;
  };
}
