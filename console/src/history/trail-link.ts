import { createContext } from 'react';

/** A record as the audit trail names it. */
export interface TrailRecord {
  /** As in entries: 'tenants', 'users', 'databases', 'roles', 'webhooks'. */
  entity: string;
  id: string;
}

/** The address of all entries about a record; the pages are known to the app only. */
export const TrailLinkContext = createContext<((record: TrailRecord) => string) | undefined>(undefined);
