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

/** All databases of other servers that programs may log in to. @param client a session in the control database */
export async function listElsewhere(client: pg.Client): Promise<DatabaseElsewhere[]> {
  const { rows } = await client.query<DatabaseElsewhere>(
    `select d.physical_name as "physicalName", s.name as server, s.host, s.port, s.tls, s.ca_certificate as "caCertificate"
     from databases d join database_servers s on s.id = d.server_id
     where s.id <> $1 and d.state = 'ready' order by d.physical_name`,
    [HOME_SERVER],
  );
  return rows;
}
