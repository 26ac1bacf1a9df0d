import { brotliDecompressSync } from 'node:zlib';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import type { InjectOptions } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../../app.ts';
import { AppError } from '../../../errors.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { listsOf, makeFaqs } from '../../../testing/faqs.ts';
import { forgetVoters } from './votes.service.ts';

const test = useTestApp({ publicFaq: { frames: ['https://help.clinic.test'] } });
const make = makeFaqs(test);
const { questionsOf } = listsOf(test);

const get = (url: string, options: InjectOptions = {}) => test.app.inject({ url, ...options });

describe('the public page of an FAQ', () => {
  it('has what is published, in order, and nothing that would run [DECISIONS §13]', async () => {
    const faqId = await make.faq({ code: 'COLD', name: 'Cold <chain>', overview: '<p>All of it</p>' });
    const sectionId = await make.section(faqId, { name: 'Fridges' });
    const place = { faqId, sectionId };
    await make.question(place, { question: 'How cold?', answer: '<h1>Here</h1><p>5 °C</p>' });
    await make.question(place, { question: 'Hidden?', published: false });
    for (const name of [faqId, 'COLD', 'cold']) {
      const { statusCode, headers, body } = await get(`/public/faqs/${name}`);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain('<h1 dir="auto">Cold &lt;chain&gt;</h1>');
      expect(body.match(/<h[1-6][^>]*>[^<]*/g)?.map((heading) => heading.replace(/ [^>]*/, ''))).toEqual([
        '<h1>Cold &lt;chain&gt;',
        '<h2>Fridges',
        '<h3>How cold?',
        '<h4>Here',
      ]);
      expect(body).not.toMatch(/<script|javascript:|\son\w+=|Hidden\?/i);
      expect(headers['set-cookie']).toBeUndefined();
    }
    const { body } = await get('/public/faqs');
    expect(body).toContain('<a href="/public/faqs/COLD">Cold &lt;chain&gt;</a>');
  });

  it('runs no script, loads nothing from elsewhere, and is framed by the named sites only [DECISIONS §13]', async () => {
    const { headers } = await get('/public/faqs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none';style-src 'sha256-[^']+';img-src 'self';form-action 'self';base-uri 'none';/,
    );
    expect(policy).toMatch(/;frame-ancestors https:\/\/help\.clinic\.test$/);
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  it('is sent once while nothing changes for readers, in the coding that they take [DECISIONS §13]', async () => {
    const place = await make.place();
    const id = await make.question(place, { question: 'Still so?', answer: `<p>${'Yes. '.repeat(400)}</p>` });
    const url = `/public/faqs/${place.faqId}`;
    const first = await get(url, { headers: { 'accept-encoding': 'br' } });
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
    });
    expect(brotliDecompressSync(first.rawPayload).toString()).toBe((await get(url)).body);
    const again = () => get(url, { headers: { 'if-none-match': String(first.headers.etag) } });
    expect((await again()).statusCode).toBe(304);
    // Another minute, and another FAQ's change: nothing of this page.
    test.clock.advance(60);
    await make.faq();
    expect((await again()).statusCode).toBe(304);
    await test.context.pool.query('update faq_questions set is_active = false where id = $1', [id]);
    const after = await again();
    expect([after.statusCode, after.body.includes('Still so?')]).toEqual([200, false]);
  });

  it('is never that of a tenant whose code ends as a coding is called [DECISIONS §13]', async () => {
    const place = await make.place();
    await make.question(place, { answer: `<p>${'Yes. '.repeat(400)}</p>` });
    const url = `/public/faqs/${place.faqId}?tenant=PAGE`;
    await get(`${url}%20br`);
    const { headers, rawPayload } = await get(url, { headers: { 'accept-encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(rawPayload).toString()).toBe((await get(url)).body);
  });

  it('shows what begins, and hides what ends, at its moment, though nothing is written then [DECISIONS §13]', async () => {
    test.clock.now = new Date('2026-11-20T23:20:30.000Z');
    const place = await make.place();
    const period = { publishAtUtc: '2026-11-20T23:21:45.000Z', publishUntilUtc: '2026-11-20T23:23:00Z' };
    await make.question(place, { question: 'For two minutes?', ...period });
    const isSeen = async () => (await get(`/public/faqs/${place.faqId}`)).body.includes('For two minutes?');
    expect(await isSeen()).toBe(false);
    // Moments are cut to their minute.
    test.clock.advance(30);
    expect(await isSeen()).toBe(true);
    test.clock.advance(119);
    expect(await isSeen()).toBe(true);
    test.clock.advance(1);
    expect(await isSeen()).toBe(false);
  });

  it('is a page that says so where there is none, for whatever reason [DECISIONS §13]', async () => {
    const hidden = await make.faq({ published: false });
    for (const name of [hidden, 'nobody', '%00', 'x'.repeat(90)]) {
      const { statusCode, headers, body } = await get(`/public/faqs/${name}`);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(body).toContain('There is no such page');
    }
    expect((await get(`/public/faqs/${hidden}/feed.json`)).statusCode).toBe(404);
  });

  it('is a page where it cannot be shown now, too [DECISIONS §13]', async () => {
    const overloaded = () => {
      throw new AppError('overloaded');
    };
    const app = await buildApp({ ...test.context, now: overloaded }, { logLevel: 'silent' });
    const { statusCode, headers, body } = await app.inject('/public/faqs');
    await app.close();
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      503,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(body).toContain('<p>There is too much to do at once. Please try again in a moment.');
  });

  it('is not there without the setting [DECISIONS §13]', async () => {
    const app = await buildApp({ ...test.context, publicFaq: undefined }, { logLevel: 'silent' });
    const place = await make.place();
    const answers = await Promise.all(
      ['/public/faqs', `/public/faqs/${place.faqId}`, `/public/faqs/${place.faqId}/feed.json`].map((url) =>
        app.inject(url),
      ),
    );
    const config = await app.inject('/config.json');
    await app.close();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    expect(config.json()).not.toHaveProperty('publicFaqs');
    expect((await get('/config.json')).json()).toMatchObject({ publicFaqs: true });
  });
});

describe('the search of a public page', () => {
  it('finds questions by all words in question or answer, and shows the text as it is [DECISIONS §13]', async () => {
    const place = await make.place();
    await make.question(place, { question: 'Where are Fridges?', answer: '<p>In the <strong>back</strong></p>' });
    await make.question(place, { question: 'Other?', answer: '<p>fridges</p>', isActive: false });
    const search = async (text: string) =>
      (await get(`/public/faqs/${place.faqId}?q=${encodeURIComponent(text)}`)).body;
    expect(await search('BACK fridges')).toContain('Where are Fridges?');
    expect(await search('BACK fridges')).toContain('<h2>1 result for');
    expect(await search('strong')).toContain('<h2>0 results for');
    expect(await search('"><script>x')).toContain('“<bdi>&quot;&gt;&lt;script&gt;x</bdi>”');
    expect(await search('"><script>x')).not.toContain('<script');
  });

  it('finds words with and without their accents, however those are written [DECISIONS §13]', async () => {
    const place = await make.place();
    await make.question(place, { question: 'Vacunación', answer: '<p>Mañana</p>' });
    await make.question(place, { question: 'Vacunaci\u00f3n'.normalize('NFD'), answer: '<p>Hoy</p>' });
    const results = async (text: string) =>
      (await get(`/public/faqs/${place.faqId}?q=${encodeURIComponent(text)}`)).body.match(/<h2>(\d+) result/)?.[1];
    for (const word of ['vacunacion', 'VACUNACIÓN', 'vacunación'.normalize('NFD')])
      expect(await results(word)).toBe('2');
    expect(await results('vacunacion manana')).toBe('1');
  });
});

describe('the feed of a public page', () => {
  it('is a JSON Feed of what is published, with whole addresses [DECISIONS §13]', async () => {
    const place = await make.place();
    const id = await make.question(place, { question: 'How?', answer: '<p><a href="/x">So</a></p>' });
    const { headers, body } = await get(`/public/faqs/${place.faqId}/feed.json`, { headers: { host: 'faq.test' } });
    expect(headers['content-type']).toBe('application/feed+json; charset=utf-8');
    const feed = JSON.parse(body);
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', items: [{ id, title: 'How?' }] });
    expect(feed.home_page_url).toMatch(/^http:\/\/faq\.test\/public\/faqs\/FAQ-\d+$/);
    expect(feed.items[0].content_html).toContain('href="http://faq.test/x"');
  });

  it('has samples of code as they were written [DECISIONS §13]', async () => {
    const place = await make.place();
    const code = '<pre><code>a href="/x" &gt; &lt;img src="/y"&gt;</code></pre>';
    await make.question(place, { answer: `${code}<p><a href="/x">So</a></p>` });
    const { body } = await get(`/public/faqs/${place.faqId}/feed.json`, { headers: { host: 'faq.test' } });
    expect(JSON.parse(body).items[0].content_html).toContain(code);
    expect(JSON.parse(body).items[0].content_html).toContain('<a href="http://faq.test/x"');
  });
});

describe('an FAQ of a module', () => {
  it('is seen by tenants that have an active permission of it [DECISIONS §13]', async () => {
    const { result } = await test.call(tenantRoutes.create, { body: tenantInput('SEES') });
    await test.call(permissionRoutes.sync, { query: { tenantId: result.id }, body: {} });
    const own = await make.faq({ module: 'UserManagement' });
    const foreign = await make.faq({ module: 'Rx' });
    const status = async (faq: string, query = '') => (await get(`/public/faqs/${faq}${query}`)).statusCode;
    expect(await status(own)).toBe(404);
    expect(await status(own, '?tenant=NOBODY')).toBe(404);
    expect(await status(own, '?tenant=SEES')).toBe(200);
    expect(await status(foreign, '?tenant=SEES')).toBe(404);
    const { body } = await get('/public/faqs?tenant=SEES');
    expect(body).toMatch(/href="\/public\/faqs\/FAQ-\d+\?tenant=SEES"/);
  });

  it('costs one read of the tenant in a minute, however its code is written, but for one that failed [DECISIONS §13]', async () => {
    const { result } = await test.call(tenantRoutes.create, { body: tenantInput('SPELT') });
    await test.call(permissionRoutes.sync, { query: { tenantId: result.id }, body: {} });
    const faq = await make.faq({ module: 'UserManagement' });
    const read = vi.spyOn(test.context.tenants, 'with').mockRejectedValueOnce(new Error('away'));
    const answers: number[] = [];
    for (const code of ['SPELT', 'SPELT', 'spelt', 'SP\u00adELT', '\u200bspel\u200bt', '\uff33PELT']) {
      answers.push((await get(`/public/faqs/${faq}?tenant=${encodeURIComponent(code)}`)).statusCode);
    }
    const reads = read.mock.calls.length;
    read.mockRestore();
    expect([answers, reads]).toEqual([[404, 200, 200, 200, 200, 200], 2]);
  });
});

describe('the question whether an answer was helpful', () => {
  const post = (faq: string, payload: string, headers = {}) =>
    test.app.inject({
      method: 'POST',
      url: `/public/faqs/${faq}/helpful`,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  it('is counted once a day for each address and question, and editors see the counts [DECISIONS §13]', async () => {
    const place = await make.place();
    const [one, other] = [await make.question(place), await make.question(place)];
    const before = await get(`/public/faqs/${place.faqId}`);
    const thanks = await post(place.faqId, `yes=${one}`);
    expect([thanks.statusCode, thanks.body.includes(`#q-${one}`)]).toEqual([200, true]);
    // The same address, at once and another way around.
    await Promise.all([
      post(place.faqId, `no=${one}`),
      post(place.faqId, `yes=${one}`),
      post(place.faqId, `no=${other}`),
    ]);
    const counts = async () =>
      (await questionsOf(place.sectionId)).map(({ helpful, unhelpful }) => [helpful, unhelpful]);
    expect(await counts()).toEqual([
      [1, 0],
      [0, 1],
    ]);
    test.clock.advance(24 * 60 * 60 + 1);
    await forgetVoters(test.context);
    expect((await test.context.pool.query('select from faq_votes')).rowCount).toBe(0);
    await post(place.faqId, `yes=${one}`);
    const { rows } = await test.context.pool.query(
      'select helpful, unhelpful from faq_helpfulness where question_id = $1',
      [one],
    );
    expect(rows).toEqual([{ helpful: 2, unhelpful: 0 }]);
    // A vote is no change of the page.
    const headers = { 'if-none-match': String(before.headers.etag) };
    expect((await get(`/public/faqs/${place.faqId}`, { headers })).statusCode).toBe(304);
    test.clock.advance(-24 * 60 * 60 - 1);
  });

  it('is counted once for all addresses of a network of IPv6 [DECISIONS §13]', async () => {
    const place = await make.place();
    const question = await make.question(place);
    for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) {
      const url = `/public/faqs/${place.faqId}/helpful`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await test.app.inject({ method: 'POST', url, payload: `yes=${question}`, headers, remoteAddress });
    }
    expect(await questionsOf(place.sectionId)).toMatchObject([{ helpful: 2, unhelpful: 0 }]);
  });

  it('is refused where the reader does not see the question, from other sites, and too long [DECISIONS §13]', async () => {
    const place = await make.place();
    const hidden = await make.question(place, { published: false });
    const shown = await make.question(place);
    expect((await post(place.faqId, `yes=${hidden}`)).statusCode).toBe(404);
    expect((await post(place.faqId, 'maybe=1')).statusCode).toBe(404);
    expect((await post(place.faqId, `yes=${shown}`, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await post(place.faqId, `yes=${'x'.repeat(2_000)}`)).statusCode).toBe(413);
    for (const json of ['{}', 'null']) {
      expect((await post(place.faqId, json, { 'content-type': 'application/json' })).statusCode).toBe(404);
    }
    const { rowCount } = await test.context.pool.query('select from faq_helpfulness where question_id = any ($1)', [
      [hidden, shown],
    ]);
    expect(rowCount).toBe(0);
  });
});
