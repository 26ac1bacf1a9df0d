// `npm run api:release`: notes the API as it is now as the one that callers rely on, in docs/api-released.jsonl: a line a call. Says first
// what of it breaks callers. With `check` it only says that.
import { readFileSync, writeFileSync } from 'node:fs';
import { breakingChanges, publishedApi } from '../contract/src/api-changes.ts';
import { openApiDocument } from '../contract/src/openapi.ts';

const RELEASED = new URL('../docs/api-released.jsonl', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../packages/client/package.json', import.meta.url), 'utf8'));
const { calls, ...head } = publishedApi(openApiDocument(version));

const [known, ...lines] = readFileSync(RELEASED, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const changes = breakingChanges({ ...known, calls: lines }, { ...head, calls });
for (const change of changes) console.log(change);
if (process.argv[2] === 'check') process.exit(changes.length > 0 ? 1 : 0);
writeFileSync(RELEASED, `${[head, ...calls].map((line) => JSON.stringify(line)).join('\n')}\n`);
console.log(`docs/api-released.jsonl is the API of version ${version}: ${calls.length} calls.`);
