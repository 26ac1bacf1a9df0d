// The least that can be done: a bare HTTP server that passes the rows of a list on as PostgreSQL's JSON text. It is told which list.
import { createServer } from 'node:http';
import pg from 'pg';
import { listTenantsJson } from '../api/src/features/tenants/tenants.repository.ts';
import { listUsersJson } from '../api/src/features/users/users.repository.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

const listRows =
  process.argv[2] === 'users'
    ? () => listUsersJson(pool, { column: 'userName', direction: 'asc' })
    : () => listTenantsJson(pool, { column: 'code', direction: 'asc' }, 'localhost');

const server = createServer(async (_request, response) => {
  const json = await listRows();
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(json);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`);
});
process.on('SIGTERM', () => process.exit(0));
