import { readFileSync } from 'node:fs';
import { breakingChanges, type PublishedApi, type PublishedCall, publishedApi } from '@apotheca/contract/api-changes';
import { openApiDocument } from '@apotheca/contract/openapi';
import type { JsonSchema } from '@apotheca/contract/openapi-examples';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('packages/client/package.json'));
const [head, ...calls] = read('docs/api-released.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const RELEASED: PublishedApi = { ...head, calls };
const CURRENT = publishedApi(openApiDocument(version));

/** What breaks callers of the API as it is now, once it is changed. */
function changesOf(plant: (api: PublishedApi) => void): string[] {
  const planted = structuredClone(CURRENT);
  plant(planted);
  return breakingChanges(CURRENT, planted);
}

function call(api: PublishedApi, name: string): PublishedCall {
  const found = api.calls.find((each) => each.name === name);
  if (!found) throw new Error(`There is no call ${name}.`);
  return found;
}

const bodyOf = (api: PublishedApi, name: string): JsonSchema => call(api, name).body['application/json'] ?? {};
const fieldOf = ({ properties = {} }: JsonSchema, name: string): JsonSchema => properties[name] ?? {};
const recordOf = (api: PublishedApi, name: string): JsonSchema => api.schemas[name] ?? {};

describe('the API', () => {
  it('keeps what callers of the released one rely on; `npm run api:release` takes a change as it is [§7]', () => {
    expect(breakingChanges(RELEASED, CURRENT)).toEqual([]);
    expect(RELEASED.calls.length).toBeGreaterThan(100);
  });

  it('has a changelog that speaks of the released version [§7]', () => {
    expect(read('docs/api-changelog.md')).toContain(`## ${RELEASED.version}`);
  });
});

describe('a breaking change is found:', () => {
  it.each<[string, (api: PublishedApi) => void, string]>([
    [
      'a call that is gone',
      (api) => {
        api.calls = api.calls.filter(({ name }) => name !== 'backups.list');
      },
      'backups.list is gone',
    ],
    [
      'a field that is gone from an answer',
      (api) => delete recordOf(api, 'Tenant').properties?.customerCode,
      'tenants.list: answer 200[].customerCode is gone',
    ],
    [
      'an input that must be sent',
      (api) => {
        call(api, 'backups.list').query.since = { required: true, schema: { type: 'string' } };
      },
      'backups.list: query since is required',
    ],
    [
      'a type that is narrower',
      (api) => Object.assign(fieldOf(bodyOf(api, 'tenants.create'), 'code'), { maxLength: 10 }),
      'tenants.create: body.code: maxLength is 10',
    ],
    [
      'a value that is taken no more',
      (api) => call(api, 'credentials.reveal').query.access?.schema.enum?.pop(),
      'credentials.reveal: query access does not take read',
    ],
    [
      'a value that callers do not know',
      (api) => fieldOf(recordOf(api, 'Operation'), 'state').enum?.push('paused'),
      'operations.list: answer 200[].state may be paused',
    ],
    [
      'a status that is gone',
      (api) => delete call(api, 'backups.create').answers[202],
      'backups.create: is not answered 202 any more',
    ],
    [
      'another permission',
      (api) => {
        call(api, 'databases.details').permission = 'databases.write';
      },
      'databases.details: needs databases.write and not databases.read',
    ],
    [
      'another path',
      (api) => {
        call(api, 'tenants.list').address = 'GET /api/tenants';
      },
      'tenants.list: GET /api/tenant/get has become GET /api/tenants',
    ],
    [
      'another content type',
      (api) => {
        call(api, 'backups.download').answers[200] = { 'application/zip': { type: 'string' } };
      },
      'backups.download: does not answer application/octet-stream',
    ],
    [
      'a field of the body that must be sent',
      (api) => bodyOf(api, 'tenants.create').required?.push('city'),
      'tenants.create: body.city is required',
    ],
    [
      'a field of the body that is gone',
      (api) => delete bodyOf(api, 'tenants.create').properties?.city,
      'tenants.create: body.city is gone',
    ],
    [
      'another type of a field',
      (api) => Object.assign(fieldOf(recordOf(api, 'Tenant'), 'licenseCount'), { type: 'string' }),
      'tenants.list: answer 200[].licenseCount is string',
    ],
    [
      'a field that may be null',
      (api) => Object.assign(fieldOf(recordOf(api, 'Backup'), 'sha256'), { type: ['string', 'null'] }),
      'backups.create: answer 200.sha256 is null',
    ],
    [
      'a field that may be missing',
      (api) => recordOf(api, 'Backup').required?.shift(),
      'backups.create: answer 200.id may be missing',
    ],
    [
      'a new status of success',
      (api) => Object.assign(call(api, 'tenants.create').answers, { 202: {} }),
      'tenants.create: may be answered 202',
    ],
    [
      'a fresh proof that is asked for',
      (api) => {
        call(api, 'tenants.create').isFresh = true;
      },
      'tenants.create: wants a fresh proof',
    ],
    [
      'keys that may not make a call any more',
      (api) => call(api, 'operations.list').security.pop(),
      'operations.list: is not made by apiKey any more',
    ],
    ['another envelope', (api) => delete recordOf(api, 'Failure').properties?.title, 'Failure.title is gone'],
  ])('%s', (_, plant, change) => {
    expect(changesOf(plant)).toContain(change);
  });

  it('and nothing but that is told [§7]', () => {
    const only = changesOf((api) => {
      call(api, 'tenants.create').permission = 'tenants.delete';
    });
    expect(only).toEqual(['tenants.create: needs tenants.delete and not tenants.write']);
  });
});

describe('an addition breaks nothing:', () => {
  it.each<[string, (api: PublishedApi) => void]>([
    ['a call', (api) => api.calls.push({ ...call(api, 'tenants.list'), name: 'tenants.count', address: 'GET /x' })],
    [
      'an input that may be left out',
      (api) =>
        Object.assign(call(api, 'backups.list').query, { since: { required: false, schema: { type: 'string' } } }),
    ],
    ['a field of an answer', (api) => Object.assign(recordOf(api, 'Tenant').properties ?? {}, { region: {} })],
    ['an input that need not be sent any more', (api) => bodyOf(api, 'tenants.create').required?.shift()],
    ['a wider input', (api) => Object.assign(fieldOf(bodyOf(api, 'tenants.create'), 'code'), { maxLength: 1000 })],
    ['a value that is taken besides', (api) => call(api, 'credentials.reveal').query.access?.schema.enum?.push('own')],
    [
      'a value of a list that grows',
      (api) => (fieldOf(recordOf(api, 'Operation'), 'kind')['x-extensible-enum'] as string[]).push('move'),
    ],
    [
      'a proof that is not asked for any more',
      (api) => {
        call(api, 'tenants.delete').isFresh = false;
      },
    ],
  ])('%s', (_, plant) => {
    expect(changesOf(plant)).toEqual([]);
  });
});
