import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeWhole } from '../../packages/cli/src/whole-file.ts';
import { useCommandLine } from './testing/command-line.ts';

const line = useCommandLine();
const HEAD = { 'content-disposition': "attachment; filename*=UTF-8''a.archive" };
/** How the server sends an archive. */
let send: (response: ServerResponse) => void;
const server = createServer((_request, response) => send(response));
let env = {};

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  env = { APOTHECA_API_KEY: 'apk_any', APOTHECA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
afterEach(async () => {
  for (const name of await files()) await rm(join(line.folder, name));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const files = () => readdir(line.folder);
const readText = (name: string) => readFile(resolve(line.folder, name), 'utf8');
const start = () => line.start(['backups', 'download', 'any'], { env });
const sendHalf = (response: ServerResponse, head: object) =>
  new Promise<void>((fulfil) => {
    response.writeHead(200, { ...HEAD, ...head });
    response.write('half', () => fulfil());
  });

describe('a download', () => {
  it('is a file of its own name, for its owner alone to read, and replaces none [§7]', async () => {
    send = (response) => response.writeHead(200, { ...HEAD, 'content-length': '5' }).end('whole');
    expect(await start().end).toEqual({ code: 0, out: 'a.archive: 5 bytes.\n', errors: '' });
    expect(await files()).toEqual(['a.archive']);
    const path = join(line.folder, 'a.archive');
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    await writeFile(path, 'mine');
    expect(await start().end).toEqual({ code: 1, out: '', errors: 'a.archive is there already.\n' });
    expect([await files(), await readFile(path, 'utf8')]).toEqual([['a.archive'], 'mine']);
  });

  it.each([
    { how: 'with its length', head: { 'content-length': '1000' } },
    { how: 'in chunks', head: {} },
  ])('leaves no file where the connection ends early, sent $how [§7]', async ({ head }) => {
    send = (response) => void sendHalf(response, head).then(() => response.destroy());
    expect(await start().end).toMatchObject({ code: 1, out: '' });
    expect(await files()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no file after %s [§7]', async (signal) => {
    send = (response) => void sendHalf(response, {});
    const { child, end } = start();
    const written = async () => Promise.all((await files()).map(readText));
    await expect.poll(written).toEqual(['half']);
    child.kill(signal);
    expect(await end).toEqual({ code: 1, out: '', errors: 'Interrupted: nothing was kept.\n' });
    expect(await files()).toEqual([]);
  });

  // In containers process ids repeat: each command has the first one.
  it('is not in the way of another one by a process of the same id, whether killed or at work [§7]', async () => {
    const path = join(line.folder, 'b.archive');
    const left = `${path}.${process.pid}.part`;
    await writeFile(left, 'left by a kill');
    const slow = new PassThrough();
    slow.write('slow');
    const written = writeWhole(path, slow);
    const isWritten = async () => (await Promise.all((await files()).map(readText))).includes('slow');
    await expect.poll(isWritten).toBe(true);
    const cut = new Readable({ read: () => void cut.destroy(new Error('It was cut off.')) });
    await expect(writeWhole(path, cut)).rejects.toThrow('It was cut off.');
    slow.end();
    await written;
    expect(await Promise.all([path, left].map(readText))).toEqual(['slow', 'left by a kill']);
    expect(await files()).toHaveLength(2);
  });
});
