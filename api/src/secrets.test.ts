import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from './config.ts';
import { decrypt, deriveKeys, encrypt, loadStoredSecrets } from './secrets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the stored secrets', () => {
  it('are made at the first start, in a file that only its owner can read [DECISIONS §2]', async () => {
    const dataDir = join(folder, 'not', 'there', 'yet');
    const secrets = await loadStoredSecrets(dataDir);
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(secrets);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it('are long, and different in every installation [DECISIONS §2]', async () => {
    const [one, other] = [await loadStoredSecrets(join(folder, 'one')), await loadStoredSecrets(join(folder, 'other'))];
    expect(Buffer.from(one.secret, 'base64url')).toHaveLength(32);
    expect(Buffer.from(one.postgresPassword, 'base64url')).toHaveLength(24);
    expect(one.adminPassword).toMatch(/^[\w-]{12}$/);
    const all = [...Object.values(one), ...Object.values(other)];
    expect(new Set(all).size).toBe(all.length);
  });

  it('are made once [DECISIONS §2]', async () => {
    const made = await loadStoredSecrets(folder);
    expect(await loadStoredSecrets(folder)).toEqual(made);
  });

  it('are the same for server processes that start at once [DECISIONS §2]', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadStoredSecrets(folder)));
    const stored = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
    for (const secrets of all) expect(secrets).toEqual(stored);
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  it('lie in no draft that a killed process left, and another file beside them stays [DECISIONS §2]', async () => {
    const made = await loadStoredSecrets(folder);
    await writeFile(join(folder, 'secrets.json.0123456789abcdef'), JSON.stringify(made));
    await writeFile(join(folder, 'secrets.json.old'), 'mine');
    expect(await loadStoredSecrets(folder)).toEqual(made);
    expect((await readdir(folder)).toSorted()).toEqual(['secrets.json', 'secrets.json.old']);
  });

  it.each(['', '{', '[]', '{}', '{"secret":"x"}', '{"secret":1,"adminPassword":"x","postgresPassword":"x"}'])(
    'that are damaged stop the start with one line, and are left as they are: %j [DECISIONS §2]',
    async (text) => {
      const file = join(folder, 'secrets.json');
      await writeFile(file, text);
      const loading = loadStoredSecrets(folder);
      await expect(loading).rejects.toThrow(StartError);
      await expect(loading).rejects.toThrow(`${file} is damaged: `);
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('that cannot be read stop the start with one line [DECISIONS §2]', async () => {
    await mkdir(join(folder, 'secrets.json'));
    await expect(loadStoredSecrets(folder)).rejects.toThrow(StartError);
    await writeFile(join(folder, 'file'), '');
    await expect(loadStoredSecrets(join(folder, 'file'))).rejects.toThrow(/^Cannot read .*file/);
  });

  it('that cannot be written stop the start with one line [DECISIONS §2]', async () => {
    const dangling = join(folder, 'dangling');
    await symlink(join(folder, 'nowhere', 'at', 'all'), dangling);
    const loading = loadStoredSecrets(dangling);
    await expect(loading).rejects.toThrow(StartError);
    await expect(loading).rejects.toThrow(/^Cannot write [^\n]+secrets\.json: [^\n]+$/);
  });
});

describe('keys', () => {
  it('are derived from the secret, one for each purpose [DECISIONS §4]', () => {
    const [keys, again, other] = [deriveKeys('a'.repeat(32)), deriveKeys('a'.repeat(32)), deriveKeys('b'.repeat(32))];
    expect(again).toEqual(keys);
    const all = [...Object.values(keys), ...Object.values(other)].map((key) => Buffer.from(key).toString('hex'));
    expect(all.every((key) => key.length === 64)).toBe(true);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('encryption', () => {
  const { databases: key, audit: otherKey } = deriveKeys('a secret that only tests use, long enough');

  it('decrypts to the same text [DECISIONS §6]', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(fc.property(text, (value) => decrypt(key, encrypt(key, value)) === value));
  });

  it('never gives the same bytes twice, nor the text itself [DECISIONS §6]', () => {
    const sealed = Array.from({ length: 50 }, () => encrypt(key, 'correct horse').toString('hex'));
    expect(new Set(sealed).size).toBe(50);
    expect(encrypt(key, 'correct horse').includes('correct')).toBe(false);
  });

  it('detects any changed bit [DECISIONS §6]', () => {
    const sealed = encrypt(key, 'correct horse');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = Number(changed[bit >> 3]) ^ (1 << (bit & 7));
      expect(() => decrypt(key, changed), `bit ${bit}`).toThrow();
    }
  });

  it('detects missing or added bytes, and another key [DECISIONS §6]', () => {
    const sealed = encrypt(key, 'correct horse');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => decrypt(key, sealed.subarray(0, length)), `${length} bytes`).toThrow();
    }
    const empty = encrypt(key, '');
    for (let length = 0; length < empty.length; length += 1) {
      expect(() => decrypt(key, empty.subarray(0, length)), `${length} bytes of no text`).toThrow();
    }
    expect(() => decrypt(key, Buffer.concat([sealed, Buffer.from('x')]))).toThrow();
    expect(() => decrypt(otherKey, sealed)).toThrow();
  });
});
