import type { DatabaseServerTls } from '@apotheca/contract/databaseservers';
import type pg from 'pg';
import { HOME_SERVER } from '../db/clusters.ts';

/** A database on another server than the control database's. */
export interface DatabaseElsewhere {
  physicalName: string;
  server: string;
  host: string;
  port: number;
  tls: DatabaseServerTls;
  caCertificate: string;
}

type ServerElsewhere = Omit<DatabaseElsewhere, 'physicalName'> & { physicalNames: string[] };

/**
 * All databases of other servers that programs may log in to. Whoever follows moves asks each second, so a certificate, which is long, comes once
 * for its server.
 * @param client a session in the control database
 */
export async function listElsewhere(client: pg.Client): Promise<DatabaseElsewhere[]> {
  const { rows } = await client.query<ServerElsewhere>(
    `select s.name as server, s.host, s.port, s.tls, s.ca_certificate as "caCertificate",
       array(select physical_name from databases where server_id = s.id and state = 'ready') as "physicalNames"
     from database_servers s where s.id <> $1 order by s.name`,
    [HOME_SERVER],
  );
  return rows.flatMap(({ physicalNames, ...server }) =>
    physicalNames.map((physicalName) => ({ physicalName, ...server })),
  );
}
