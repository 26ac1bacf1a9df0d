import { Readable } from 'node:stream';
import { authRoutes } from '@apotheca/contract/auth';
import { faqImageRoutes } from '@apotheca/contract/faq-images';
import { faqRoutes } from '@apotheca/contract/faqs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { faqInput, makeFaqs } from '../../../testing/faqs.ts';
import { deleteUnusedPictures } from './images.service.ts';

const test = useTestApp();
const make = makeFaqs(test);

const DAY = 24 * 60 * 60;

const drawn = (width: number, height: number, colour = 'red') =>
  sharp({ create: { width, height, channels: 3, background: colour } });

/** Uploads a file as the administrator. */
async function upload(file: Buffer | Readable, token?: string) {
  const accessToken = token ?? (await test.signIn()).result.accessToken;
  const answer = await test.app.inject({
    method: 'POST',
    url: `/api${faqImageRoutes.upload.path}`,
    payload: file,
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${accessToken}` },
  });
  return { status: answer.statusCode, ...answer.json() };
}

describe('an uploaded picture', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'that is %s by its content is written anew as WebP [DECISIONS §13]',
    async (format) => {
      const file = await drawn(40, 20)
        .withExif({ IFD0: { Copyright: 'nobody may know' } })
        [format]()
        .toBuffer();
      const { status, result } = await upload(file);
      expect([status, result.width, result.height]).toEqual([200, 40, 20]);
      const answer = await test.app.inject(result.src);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      const stored = await sharp(answer.rawPayload).metadata();
      expect([stored.format, stored.width, stored.exif]).toEqual(['webp', 40, undefined]);
      expect(answer.rawPayload.toString('latin1')).not.toContain('nobody may know');
    },
  );

  it('is turned upright and made no larger than it is shown [DECISIONS §13]', async () => {
    const turned = await drawn(3_000, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { result } = await upload(turned);
    expect([result.width, result.height]).toEqual([200, 2_000]);
  });

  it('is refused if it is none, too large, or another kind of file [DECISIONS §13]', async () => {
    const none = 'This is no PNG, JPEG, WebP or GIF picture of at most 25 million pixels.';
    const half = (await drawn(400, 400).png().toBuffer()).subarray(0, 200);
    const huge = await drawn(6_000, 6_000).png().toBuffer();
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    );
    const tiff = await drawn(9, 9).tiff().toBuffer();
    for (const file of [Buffer.from('GIF89a'), half, huge, svg, tiff, Buffer.alloc(0)]) {
      const { status, errors } = await upload(file);
      expect([status, errors]).toEqual([400, { file: [none] }]);
    }
    const { errors } = await upload(Buffer.alloc(5 * 1024 * 1024 + 1));
    expect(errors).toEqual({ file: ['A picture may have at most 5 MiB.'] });
  });

  it('is one of 30 a minute, and needs the permission to write FAQs [DECISIONS §13]', async () => {
    const operator = await test.signInAs('Operator');
    const file = await drawn(3, 3).png().toBuffer();
    const values = Array.from(
      { length: 29 },
      (_, n) => `(repeat('${n.toString(16).padStart(2, '0')}', 32), '', 1, 1, $1, $2, $2)`,
    );
    await test.context.pool.query(
      `insert into faq_images (hash, bytes, width, height, created_by, created_at, unused_since) values ${values}`,
      [operator.id, test.clock.now],
    );
    expect((await upload(file, operator.token)).status).toBe(200);
    const other = await drawn(4, 4).png().toBuffer();
    const refused = await upload(other, operator.token);
    expect([refused.status, refused.message]).toEqual([429, 'You can upload 30 pictures a minute. Please wait.']);
    test.clock.advance(61);
    expect((await upload(other, operator.token)).status).toBe(200);
    // While a clock was ahead.
    await test.context.pool.query("update faq_images set created_at = created_at + interval '1 year'");
    expect((await upload(file, operator.token)).status).toBe(200);
    expect((await upload(other, (await test.signInAs('Viewer')).token)).status).toBe(403);
  });

  it('counts before it is decoded, the same one again and one that is refused too [DECISIONS §13]', async () => {
    const { token } = await test.signInAs('Administrator');
    const file = await drawn(5, 5).png().toBuffer();
    const answers: number[] = [];
    for (const each of [...Array<Buffer>(29).fill(file), Buffer.from('none'), Buffer.from('none'), file]) {
      answers.push((await upload(each, token)).status);
    }
    expect(answers).toEqual([...Array<number>(29).fill(200), 400, 429, 429]);
    test.clock.advance(61);
    expect((await upload(file, token)).status).toBe(200);
  });
});

describe('what was uploaded while the clock was a year ahead', () => {
  it('keeps nobody from uploading once that is right [DECISIONS §13]', async () => {
    const account = await insertAccount(test, { role: 'Operator' });
    const file = await drawn(6, 6).png().toBuffer();
    const right = test.clock.now;
    test.clock.advance(365 * DAY);
    const ahead = await signInTo(test, account);
    for (let n = 0; n < 30; n += 1) await upload(Buffer.from('none'), ahead.accessToken);
    expect((await upload(file, ahead.accessToken)).status).toBe(429);
    test.clock.now = right;
    expect((await upload(file, (await signInTo(test, account)).accessToken)).status).toBe(200);
  });
});

describe('a picture in rich text', () => {
  it('must be stored here [DECISIONS §13]', async () => {
    const overview = `<p><img src="/faqs/images/${'ab'.repeat(32)}" alt="x"></p>`;
    const { status, errors } = await test.call(faqRoutes.create, { body: faqInput({ overview }) });
    const message = 'Overview has a picture that is not stored here. Please upload it again.';
    expect([status, errors]).toEqual([400, { overview: [message] }]);
  });

  it('is not stored when its sender signs out while it is sent [DECISIONS §4]', async () => {
    const { accessToken, refreshToken } = (await test.signIn()).result;
    const file = await drawn(20, 20, 'yellow').png().toBuffer();
    const trickle = async function* () {
      yield file.subarray(0, 10);
      await test.call(authRoutes.logout, { token: null, body: { refreshToken } });
      yield file.subarray(10);
    };
    const count = async () => (await test.context.platform.selectFrom('faqImages').select('hash').execute()).length;
    const before = await count();
    expect(await upload(Readable.from(trickle()), accessToken)).toMatchObject({ status: 401 });
    expect(await count()).toBe(before);
  });

  it('is stored for a sender whose token ends while it is sent, as the session goes on [DECISIONS §4]', async () => {
    const { accessToken } = (await test.signIn()).result;
    const { now } = test.clock;
    const file = await drawn(20, 20, 'green').png().toBuffer();
    const trickle = async function* () {
      yield file.subarray(0, 10);
      test.clock.advance(16 * 60);
      yield file.subarray(10);
    };
    expect(await upload(Readable.from(trickle()), accessToken)).toMatchObject({ status: 200 });
    test.clock.now = now;
  });

  it('stays while a text or a revision names it, and a week after that [DECISIONS §13]', async () => {
    const named = (await upload(await drawn(30, 30, 'blue').png().toBuffer())).result.src;
    const unnamed = (await upload(await drawn(30, 30, 'green').png().toBuffer())).result.src;
    const id = await make.faq({ overview: `<p><img src="${named}" alt="Blue"></p>` });
    const isThere = async (src: string) => (await test.app.inject(src)).statusCode === 200;
    const sweepAfter = async (days: number) => {
      test.clock.advance(days * DAY);
      await deleteUnusedPictures(test.context);
      return [await isThere(named), await isThere(unnamed)];
    };
    expect(await sweepAfter(6)).toEqual([true, true]);
    expect(await sweepAfter(2)).toEqual([true, false]);
    const token = async () => (await test.signIn()).result.accessToken;
    await test.call(faqRoutes.edit, { body: faqInput({ id, overview: '' }), token: await token() });
    // A revision still names it.
    expect(await sweepAfter(8)).toEqual([true, false]);
    await test.call(faqRoutes.delete, { query: { id }, token: await token() });
    expect(await sweepAfter(0)).toEqual([true, false]);
    expect(await sweepAfter(6)).toEqual([true, false]);
    expect(await sweepAfter(2)).toEqual([false, false]);
  });
});
