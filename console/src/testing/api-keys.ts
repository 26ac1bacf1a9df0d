import { type ApiKey, apiKey } from '@apotheca/contract/api-keys';

let made = 0;

/** An API key as the list gives it, checked against the contract. */
export function makeApiKey(fields: Partial<ApiKey> = {}): ApiKey {
  made += 1;
  return apiKey.parse({
    id: `00000000-0000-4000-b000-${String(made).padStart(12, '0')}`,
    name: `key ${made}`,
    prefix: 'apk_0aB1cD2eF3g',
    scopes: ['tenants.read'],
    addresses: [],
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    expiresOnUtc: new Date(Date.now() + 60 * 24 * 3600 * 1000).toISOString(),
    isExpired: false,
    lastUsedOnUtc: null,
    lastUsedAddress: '',
    previousUntilUtc: null,
    ...fields,
  });
}
