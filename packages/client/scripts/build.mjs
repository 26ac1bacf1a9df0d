// `npm run client`: makes the client from the OpenAPI document, which is made from the contract. Nothing that it writes is committed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@apotheca/contract/openapi';
import openApiTypes, { astToString } from 'openapi-typescript';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const document = openApiDocument(version);

mkdirSync(at('src/generated'), { recursive: true });
const withoutExamples = JSON.parse(JSON.stringify(document), (key, value) =>
  /^examples?$/.test(key) ? undefined : value,
);
// A field with a default may be left out of what is sent.
const types = await openApiTypes(withoutExamples, { defaultNonNullable: false });
writeFileSync(at('src/generated/schema.ts'), astToString(types));
writeFileSync(at('src/generated/calls.ts'), `export const CALLS = ${JSON.stringify(calls(), null, 2)} as const;\n`);

rmSync(at('dist'), { recursive: true, force: true });
// The repository's compiler: the one that stands with this package is for openapi-typescript, which needs the older one's API.
const compiler = at('../../node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', at('tsconfig.build.json')], { stdio: 'inherit' });
process.exit(status ?? 1);

/** What the client needs to know of each call while it runs. */
function calls() {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      {
        method: method.toUpperCase(),
        path,
        ...(method === 'get' && !operation['x-mutates'] && { isRead: true }),
        ...(operation.security.length > 0 && { isSecured: true }),
        ...(operation.responses[202] && { isOperation: true }),
        ...(operation.parameters?.some(({ name }) => name === 'Idempotency-Key') && { isKeyed: true }),
      },
    ]),
  );
  return Object.fromEntries(described);
}
