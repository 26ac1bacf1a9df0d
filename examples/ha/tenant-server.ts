import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const POLL = 500;

interface Wanted {
  /** Where Apotheca answers, or will. */
  url: string;
  /** A file that is made once there was a record: from then on nobody is signed in, as the first password may have been changed. */
  note: string;
  /** Of the record. */
  form: { name: string } & Record<string, unknown>;
  signIn(): Promise<{ username: string; password: string }>;
  /** The end of the server, for which nobody waits then. */
  ended: Promise<unknown>;
}

/** Gives a database server a record, so that tenants can be placed there. @returns whether it has made one @throws Error */
export async function recordOnce({ url, note, form, signIn, ended }: Wanted): Promise<boolean> {
  if (existsSync(note)) return false;
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (isEnded) return false;
    await setTimeout(POLL);
  }
  const call = callerOf(url);
  const { accessToken } = await call('POST', '/identity/authenticate/authenticate', await signIn());
  const servers = await call('GET', '/api/databaseservers/get', undefined, accessToken);
  const isThere = servers.some(({ name }: { name: string }) => name === form.name);
  if (!isThere) await call('POST', '/api/databaseservers/create', form, accessToken);
  await writeFile(note, '');
  return !isThere;
}

const callerOf =
  (url: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: each call has a result of its own.
  async (method: string, path: string, body?: unknown, token?: string): Promise<any> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { success, message, result } = (await response.json()) as Reply;
    if (!success) throw new Error(message);
    return result;
  };

interface Reply {
  success: boolean;
  message: string;
  result: unknown;
}
