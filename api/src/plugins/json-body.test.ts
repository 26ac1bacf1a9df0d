import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../testing/app.ts';

const test = useTestApp();
const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends a body to a public route. The user name in it is empty, so that no password is verified. */
async function post(payload: string | Buffer | Readable, headers: Record<string, string> = JSON_TYPE) {
  const url = '/identity/authenticate/authenticate';
  const response = await test.app.inject({ method: 'POST', url, headers, payload });
  return { code: response.statusCode, headers: response.headers, ...response.json() };
}

/** The answer to a body that was parsed: only the form's fields are wrong. */
const WAS_READ = { code: 400, message: 'Required', errors: { username: ['Required'], password: ['Required'] } };

/** A body of an exact number of bytes. */
const ofSize = (bytes: number) => `{"pad":"${'x'.repeat(bytes - '{"pad":""}'.length)}"}`;

/** A body with that many levels of nesting; the object itself is the first. */
const nested = (levels: number) => `{"extra":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('the size of a body', () => {
  const TOO_LARGE = {
    code: 413,
    status: 413,
    success: false,
    title: 'Too large',
    message: 'The request is larger than allowed.',
  };

  it('may be 1 MiB, and not one byte more [§7]', async () => {
    expect(await post(ofSize(MEBIBYTE))).toMatchObject(WAS_READ);
    expect(await post(ofSize(MEBIBYTE + 1))).toMatchObject(TOO_LARGE);
  });

  it('is counted also without a Content-Length [§7]', async () => {
    const chunks = (bytes: number) => Readable.from([ofSize(bytes).slice(0, 10), ofSize(bytes).slice(10)]);
    expect(await post(chunks(MEBIBYTE))).toMatchObject(WAS_READ);
    expect(await post(chunks(MEBIBYTE + 1))).toMatchObject(TOO_LARGE);
  });
});

describe('the depth of a body', () => {
  const TOO_DEEP = { code: 400, success: false, message: 'The request body is nested too deeply.' };

  it('may be 32 levels, and not one more [§7]', async () => {
    expect(await post(nested(32))).toMatchObject(WAS_READ);
    expect(await post(nested(33))).toMatchObject(TOO_DEEP);
    expect(await post(nested(33).replaceAll('[', '{"a":').replaceAll(']', '}'))).toMatchObject(TOO_DEEP);
  });

  it('does not count brackets side by side [§7]', async () => {
    expect(await post(`{"extra":[${'[],{},'.repeat(100)}[]]}`)).toMatchObject(WAS_READ);
  });

  it.each(['[', '{', '\\"[{', '\\\\\\"[', '\\u0022[', '"[', '\\'])(
    'does not count brackets in text like %j [§7]',
    async (text) => {
      expect(await post(JSON.stringify({ extra: text.repeat(100) }))).toMatchObject(WAS_READ);
      expect(await post(JSON.stringify({ [text.repeat(100)]: 1, after: nested(30) }))).toMatchObject(WAS_READ);
    },
  );

  it('is counted right after a string that ends with a backslash [§7]', async () => {
    expect(await post(`{"text":"\\\\","extra":${nested(32)}}`)).toMatchObject(TOO_DEEP);
  });

  it.each([
    ['brackets', '['.repeat(MEBIBYTE)],
    ['an unfinished text of quotes', `"${'\\"'.repeat(MEBIBYTE / 2 - 1)}`],
    ['an unfinished text of backslashes', `"${'\\\\'.repeat(MEBIBYTE / 2 - 1)}`],
    ['quotes', '"'.repeat(MEBIBYTE)],
  ])('of 1 MiB of %s is refused at once [§7]', async (_, payload) => {
    const start = performance.now();
    expect(await post(payload)).toMatchObject({ code: 400, success: false });
    // An expression that backtracks would take a quarter of an hour.
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe('the text of a body', () => {
  const MALFORMED = { code: 400, status: 400, success: false, message: 'The request body is not valid JSON.' };

  it.each(['{', '{"a":}', 'nul', "{'a':1}", '{"a":1,}', '{"a":1}}', 'undefined', '\u0000', '{"a":"\u0001"}', 'NaN'])(
    'that is no JSON is refused: %j [§7]',
    async (payload) => {
      const answer = await post(payload);
      expect(answer).toMatchObject(MALFORMED);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{}}}',
  ])('with a prototype key is refused: %s [§7]', async (payload) => {
    expect(await post(payload)).toMatchObject(MALFORMED);
  });

  it.each(['', 'null', '{}'])('that is empty leaves every field missing: %j [§7]', async (payload) => {
    expect(await post(payload)).toMatchObject(WAS_READ);
  });

  it.each(['[]', '"text"', '5', 'true', '[{"username":"anna"}]'])(
    'that is no object is refused: %s [§7]',
    async (payload) => {
      const { code, errors } = await post(payload);
      expect({ code, fields: Object.keys(errors) }).toEqual({ code: 400, fields: ['request'] });
    },
  );

  it('may have fields that the call does not know [§7]', async () => {
    const body = { username: 'nobody.there', password: 'wrong horse', isAdmin: true, extra: { deep: [1] } };
    expect(await post(JSON.stringify(body))).toMatchObject({ code: 401 });
  });
});

describe('the type of a body', () => {
  it.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'],
    ...['application/jsonp', 'text/json', 'application/octet-stream', 'nonsense'],
  ])('%s is refused [§7]', async (type) => {
    expect(await post('{"username":"anna","password":"wrong horse"}', { 'content-type': type })).toMatchObject({
      code: 415,
      status: 415,
      success: false,
      title: 'Unsupported media type',
      message: 'Send the body as application/json.',
    });
  });

  it('is required [§7]', async () => {
    expect(await post(Buffer.from('{}'), {})).toMatchObject({ code: 415 });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    '%s is read [§7]',
    async (type) => {
      expect(await post('{}', { 'content-type': type })).toMatchObject(WAS_READ);
    },
  );
});
