import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { readOidcProviders } from './oidc-providers.ts';
import { settingsToKeep } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'apotheca-providers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'not for the terminal';
const PROVIDER = { id: 'clinic', name: 'Clinic', issuer: 'https://id.test', clientId: 'a', clientSecret: SECRET };
const file = (text: string) => {
  const path = join(folder, `providers-${text.length}.json`);
  writeFileSync(path, text);
  return path;
};
const refusal = (setting: string): string => {
  try {
    readOidcProviders(setting);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('APOTHECA_OIDC_PROVIDERS', () => {
  it('is JSON, or the path of a file of JSON [DECISIONS §13]', () => {
    const json = JSON.stringify([PROVIDER]);
    const [provider] = readOidcProviders(json);
    expect(provider).toMatchObject({ ...PROVIDER, scopes: 'openid profile email', createUsers: false });
    expect(readOidcProviders(file(json))).toEqual([provider]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a name that is missing', { name: undefined }, '[0].name '],
    ['an id with other characters', { id: 'Clinic A' }, '[0].id must be up to 40 small letters, digits and dashes'],
    ['an issuer without TLS', { issuer: 'http://id.test' }, '[0].issuer must be an address that begins with https://'],
    ['an issuer with a query', { issuer: 'https://id.test/?a=b' }, '[0].issuer must be'],
    ['an issuer that is no address', { issuer: 'id.test' }, '[0].issuer must be'],
    ['scopes without openid', { scopes: 'profile' }, '[0].scopes must contain openid'],
    ['a parameter that the server sends', { parameters: { state: 'x' } }, '[0].parameters must not contain'],
    [
      'another way to send the secret',
      { clientAuthentication: 'none' },
      '[0].clientAuthentication must be basic or post',
    ],
    ['roles of no group', { roles: {} }, '[0].roles must name at least one group'],
    [
      'groups without an order',
      { roles: { 7: 'Viewer', a: 'Operator' } },
      '[0].roles must not have groups that are numbers',
    ],
    ['new users without roles', { createUsers: true }, '[0].roles is needed by createUsers'],
    ['a field that there is not', { createUser: true }, 'Unrecognized key: "createUser"'],
  ])('stops the start at %s, and names the field but no value [DECISIONS §13]', (_what, changed, message) => {
    const line = refusal(JSON.stringify([{ ...PROVIDER, ...changed }]));
    expect(line).toContain('APOTHECA_OIDC_PROVIDERS');
    expect(line).toContain(message);
    expect(line).not.toMatch(/not for the terminal|id\.test|\n/);
  });

  it.each([
    ['JSON with a mistake', `[{ "clientSecret": "${SECRET}", }]`, 'has a mistake in its JSON'],
    ['no list', JSON.stringify(PROVIDER), 'must be a list'],
    ['a secret that stands alone', SECRET, 'is neither JSON nor the path of a file that can be read (ENOENT)'],
    ['a file with a mistake', file(`{ "clientSecret": "${SECRET}"`), 'has a mistake in its JSON'],
  ])('stops the start at %s without repeating it [DECISIONS §13]', (_what, setting, message) => {
    const line = refusal(setting);
    expect(line).toContain(message);
    expect(line).not.toContain(SECRET);
  });

  it.each(['id', 'name', 'issuer'])(
    'has each %s once: people and answers tell providers apart by it [DECISIONS §13]',
    (field) => {
      const second = { ...PROVIDER, id: 'b', name: 'B', issuer: 'https://b.test', [field]: PROVIDER[field as 'id'] };
      expect(refusal(JSON.stringify([PROVIDER, second]))).toContain(`[1].${field} is that of another provider too`);
    },
  );

  it('takes an issuer without TLS on this machine only [DECISIONS §13]', () => {
    for (const host of ['127.0.0.1:4000', 'localhost', '[::1]:4000']) {
      expect(refusal(JSON.stringify([{ ...PROVIDER, issuer: `http://${host}` }]))).toBe('none');
    }
    expect(refusal(JSON.stringify([{ ...PROVIDER, issuer: 'http://127.0.0.1.evil.test' }]))).not.toBe('none');
  });

  it('needs the address of the console, to which providers return [DECISIONS §13]', () => {
    const setting = { APOTHECA_OIDC_PROVIDERS: JSON.stringify([PROVIDER]) };
    expect(() => readConfig(setting)).toThrow(/needs an APOTHECA_PUBLIC_URL that begins/);
    expect(() => readConfig({ ...setting, APOTHECA_PUBLIC_URL: 'http://console.test' })).toThrow(/begins with https/);
    expect(readConfig({ ...setting, APOTHECA_PUBLIC_URL: 'http://localhost:3000' }).oidcProviders).toHaveLength(1);
    expect(() => readConfig({ APOTHECA_LOCAL_SIGN_IN: 'admin' })).toThrow('needs APOTHECA_OIDC_PROVIDERS');
  });

  it('is not kept in backups of the installation, as it may hold a secret [DECISIONS §13]', () => {
    const setting = { APOTHECA_OIDC_PROVIDERS: JSON.stringify([PROVIDER]), PORT: '1' };
    expect(settingsToKeep(setting)).toEqual({ PORT: '1' });
  });
});
