// `npm run schema:release`: notes the schema of the control database as the released one, api/src/db/released-schema.jsonl, which the next
// version's schema must go on serving (decision 074).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../api/src/db/embedded/embedded-postgres.ts';
import { ensureDatabase } from '../api/src/db/migrate.ts';
import { migratePlatform } from '../api/src/db/platform-migrations.ts';
import { describeSchema, RELEASED_SCHEMA } from '../api/src/db/schema-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'apotheca-schema-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password: 'schema' });
try {
  await ensureDatabase(postgres.url);
  await migratePlatform(postgres.url);
  const client = new pg.Client(postgres.url);
  await client.connect();
  const columns = await describeSchema(client);
  await client.end();
  writeFileSync(RELEASED_SCHEMA, `${columns.map((column) => JSON.stringify(column)).join('\n')}\n`);
  console.log(`api/src/db/released-schema.jsonl has the schema: ${columns.length} columns.`);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
