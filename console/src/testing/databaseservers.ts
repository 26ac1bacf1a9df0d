import type { DatabaseServer } from '@apotheca/contract/databaseservers';

/** A database server, as the list answers it. */
export const makeDatabaseServer = (fields: Partial<DatabaseServer> = {}): DatabaseServer => ({
  id: crypto.randomUUID(),
  name: 'North',
  isHome: false,
  host: 'db-north.clinic.test',
  port: 5432,
  region: 'north',
  capacity: 200,
  state: 'active',
  tls: 'disable',
  caCertificate: '',
  userName: 'apotheca',
  tenants: 12,
  databases: 14,
  isAway: false,
  awaySinceUtc: null,
  problem: '',
  checkedOnUtc: '2026-03-04T09:30:00.000Z',
  sessions: 18,
  maxSessions: 200,
  standbys: 1,
  lagSeconds: 0.4,
  version: 1,
  ...fields,
});

/** The control database's own server. */
export const makeHomeServer = (fields: Partial<DatabaseServer> = {}): DatabaseServer =>
  makeDatabaseServer({
    name: 'Home',
    isHome: true,
    host: '127.0.0.1',
    region: '',
    capacity: null,
    userName: '',
    standbys: 0,
    lagSeconds: null,
    ...fields,
  });
