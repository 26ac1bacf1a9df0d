// The least that can be done: a bare HTTP server that passes the rows of GET /tenant/get on as PostgreSQL's JSON text.
import { createServer } from 'node:http';
import pg from 'pg';
import { listTenantsJson } from '../api/src/features/tenants/tenants.repository.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

const server = createServer(async (_request, response) => {
  const json = await listTenantsJson(pool, { column: 'code', direction: 'asc' }, 'localhost');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(json);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`);
});
process.on('SIGTERM', () => process.exit(0));
