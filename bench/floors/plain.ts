// The least that a list read from PostgreSQL costs: `json_agg` over one table that has every row ready, in no order.
import pg from 'pg';
import { JSON_TYPE, listen } from './listen.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const text = `select json_agg(row)::text as json from ${process.env.PLAIN_TABLE} row`;

listen(async (_request, response) => {
  const { rows } = await pool.query({ name: 'list', text });
  response.setHeader('content-type', JSON_TYPE);
  response.end(`{"status":200,"success":true,"message":"","result":${rows[0].json}}`);
});
