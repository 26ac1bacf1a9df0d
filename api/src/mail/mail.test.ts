import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { sql } from 'kysely';
import pg from 'pg';
import { generate } from 'selfsigned';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readClock } from '../db/trusted-clock.ts';
import { readMailServer } from '../mail-settings.ts';
import { useTestApp } from '../testing/app.ts';
import { choosePort } from '../testing/chosen-port.ts';
import { plainTextOf, startMailServer } from '../testing/mail-server.ts';
import { rowsReadOf } from '../testing/query-plan.ts';
import { startMailing } from './mail-worker.ts';
import { claimMail } from './mails.repository.ts';
import { forgetLateMails, type Mail, queueMail } from './mails.service.ts';

const test = useTestApp();
const ADA = { name: 'Ada Lovelace', address: 'ada@clinic.test' };

beforeEach(async () => {
  await test.context.platform.deleteFrom('mails').execute();
});

const contextFor = (smtpUrl: string) => {
  const server = readMailServer(smtpUrl);
  if (!server) throw new Error(`${smtpUrl} is no mail server.`);
  const mail = { server, from: 'Apotheca <console@clinic.test>', publicUrl: 'https://console.clinic.test' };
  return { ...test.context, mail };
};
const at = (port: number) => contextFor(`smtp://127.0.0.1:${port}`);

async function mailServer(options?: SMTPServerOptions, port?: number) {
  const server = await startMailServer(options, port);
  onTestFinished(server.close);
  return server;
}

async function queue(context: ReturnType<typeof contextFor>, fields: Partial<Mail> = {}): Promise<void> {
  const mail = { to: ADA, subject: 'News', paragraphs: ['One & two.'], validUntil: inMinutes(30), ...fields };
  await context.platform.transaction().execute((trx) => queueMail(context, trx, mail));
}

const inMinutes = (minutes: number) => new Date(test.clock.now.getTime() + minutes * 60_000);

/** Sends in the background until the test ends. */
function sending(context: ReturnType<typeof contextFor>, timeout?: number) {
  const errors: string[] = [];
  let noticed = Promise.withResolvers<void>();
  const report = (error: unknown) => {
    errors.push(error instanceof Error ? error.message : String(error));
    noticed.resolve();
    noticed = Promise.withResolvers();
  };
  const worker = startMailing(context, report, { poll: 10, ...(timeout && { timeout }) });
  onTestFinished(worker.stop);
  return {
    errors,
    async failed(count: number) {
      while (errors.length < count) await noticed.promise;
      return errors;
    },
  };
}

/** Lets time pass until waiting mails are due: that goes by PostgreSQL's clock, which no test sets. */
const passUntilDue = async (seconds: number) => {
  await sql`update mails set due_at = due_at - make_interval(secs => ${seconds})`.execute(test.context.platform);
};

const waiting = () => test.context.platform.selectFrom('mails').selectAll().execute();
const nothingWaits = () => expect.poll(waiting).toEqual([]);

describe('a mail', () => {
  it('is sent once, as text and as HTML, if its transaction was committed [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    const link = { link: 'https://console.clinic.test/?a=1&b=2#token=x' };
    const { errors } = sending(context);
    const rolledBack = context.platform.transaction().execute(async (trx) => {
      const mail = { to: ADA, subject: 'Never', paragraphs: [], validUntil: inMinutes(30) };
      await queueMail(context, trx, mail);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await queue(context, { paragraphs: ['One <b> & “two”.', link] });
    const [mail] = await server.taken(1);
    await nothingWaits();
    expect(server.mails).toHaveLength(1);
    expect(errors).toEqual([]);
    if (!mail) throw new Error('No mail was taken.');
    expect(mail).toMatchObject({ from: 'console@clinic.test', to: ['ada@clinic.test'] });
    expect(mail.source).toMatch(/^From: Apotheca <console@clinic\.test>\r$/m);
    expect(mail.source).toMatch(/^To: "?Ada Lovelace"? <ada@clinic\.test>\r$/m);
    expect(mail.source).toMatch(/^Subject: News\r$/m);
    expect(mail.source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(plainTextOf(mail).trim()).toBe(`One <b> & “two”.\r\n\r\n${link.link}`);
    expect(mail.source.replace(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(
      '<a href="https://console.clinic.test/?a=1&amp;b=2#token=x">',
    );
    expect(mail.source).toContain('One &lt;b&gt; &amp;');
  });

  it('waits encrypted: the database alone tells nothing of it [DECISIONS §13]', async () => {
    await queue(at(1), { paragraphs: ['token=secret'] });
    const [row] = await waiting();
    // Its id may have any hexadecimal digits, 'ada' too.
    const kept = JSON.stringify({ ...row, id: undefined, sealed: row?.sealed.toString('latin1') });
    expect(kept).not.toMatch(/ada|clinic|secret|News/);
  });

  it('that was queued while the clock was a year ahead is sent once that is right [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    const right = test.clock.now;
    test.clock.advance(365 * 24 * 60 * 60);
    await queue(context);
    test.clock.now = right;
    // PostgreSQL's, too.
    await passUntilDue(-365 * 24 * 60 * 60);
    sending(context);
    await server.taken(1);
    await nothingWaits();
  });

  it('is not queued where no mail server is set [DECISIONS §13]', async () => {
    await queue({ ...at(1), mail: undefined } as never);
    expect(await waiting()).toEqual([]);
  });

  it('without an address is thrown away [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    await queue(context, { to: { name: '', address: '' } });
    expect(await waiting()).toHaveLength(1);
    const { errors } = sending(context);
    await nothingWaits();
    expect({ errors, mails: server.mails }).toEqual({ errors: [], mails: [] });
  });

  it('that was queued under another secret is dropped, and says so [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    await queue({ ...context, keys: { ...context.keys, mails: new Uint8Array(32) } });
    expect(await sending(context).failed(1)).toEqual([expect.stringMatching(/another APOTHECA_SECRET/)]);
    await nothingWaits();
    expect(server.mails).toEqual([]);
  });

  it.each([
    { name: 'Ada\r\nBcc: eve@evil.test', address: 'ada@clinic.test' },
    { name: 'Ada" <eve@evil.test>, "', address: 'ada@clinic.test' },
    { name: 'Ada', address: 'ada@clinic.test\r\nRCPT TO:<eve@evil.test>' },
    { name: 'Ada', address: 'ada@clinic.test, eve@evil.test' },
    { name: 'Ada', address: 'ada@clinic.test> <eve@evil.test' },
  ])('goes to nobody else, whatever a name or an address holds: %j [DECISIONS §13]', async (to) => {
    const server = await mailServer();
    const context = at(server.port);
    await queue(context, { to, subject: 'News\r\nBcc: eve@evil.test' });
    const { errors } = sending(context);
    await expect.poll(() => server.mails.length + errors.length).toBeGreaterThan(0);
    expect(server.mails.flatMap((mail) => mail.to).filter((address) => address.endsWith('@evil.test'))).toEqual([]);
    for (const { source } of server.mails) expect(source.split('\r\n\r\n')[0]).not.toMatch(/^(?:Bcc|Cc):/im);
    expect(errors.join()).not.toContain('ada@clinic.test');
  });
});

describe('a mail server that is away', () => {
  it('loses nothing: the mail comes when it is back [DECISIONS §13]', async () => {
    const server = await mailServer({}, await choosePort());
    const context = at(server.port);
    await server.close();
    await queue(context);
    const { failed } = sending(context);
    expect(await failed(1)).toEqual([
      expect.stringMatching(/^Mail \S+ to a…@clinic\.test could not be sent \(ESOCKET .*will be tried again\.$/),
    ]);
    const back = await mailServer({}, server.port);
    await passUntilDue(2);
    await back.taken(1);
    await nothingWaits();
    expect(back.mails).toHaveLength(1);
  });

  it('is told of when the next attempt is noted: a server that is killed then hands the mail on at once [DECISIONS §13]', async () => {
    const context = at(1);
    await queue(context);
    const pauses: Promise<number>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    // Of the first attempt: on a busy machine the next one may have begun by now, which only one that is noted does.
    const pause = sql<{ pause: number }>`
      select extract(epoch from due_at - now())::float8 as pause from mails where attempts = 1`;
    const note = async () => (await pause.execute(context.platform)).rows[0]?.pause ?? 0;
    const worker = startMailing(
      context,
      () => {
        pauses.push(note());
        resolve();
      },
      { poll: 10 },
    );
    onTestFinished(worker.stop);
    await promise;
    // Of two seconds, and not of the lease of 300.
    expect(await pauses[0]).toBeLessThanOrEqual(2);
  });

  it('gets no mail that is too late [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    await queue(context, { validUntil: inMinutes(30), subject: 'Late' });
    test.clock.advance(30 * 60);
    await queue(context, { subject: 'In time' });
    sending(context);
    const mails = await server.taken(1);
    expect(mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])).toEqual(['In time']);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await queue(context, { validUntil: test.clock.now, linkHash: Buffer.alloc(32) });
    const told: unknown[] = [];
    await forgetLateMails(context, (error) => told.push(error));
    expect(await waiting()).toEqual([]);
    expect(told).toEqual([new Error('Mails that came too late to be sent: 2, with a link: 1.')]);
    await forgetLateMails(context, (error) => told.push(error));
    expect(told).toHaveLength(1);
  });

  it('is tried until the next attempt would be too late [DECISIONS §13]', async () => {
    const context = at(1);
    await queue(context, { validUntil: inMinutes(1 / 60) });
    expect(await sending(context).failed(1)).toEqual([expect.stringMatching(/and is given up\.$/)]);
    await nothingWaits();
  });
});

describe('a mail server that refuses', () => {
  const refusing = (responseCode: number): SMTPServerOptions => ({
    onRcptTo: ({ address }, _, done) =>
      done(address === ADA.address ? Object.assign(new Error(`no ${address}`), { responseCode }) : null),
  });

  it('an address for good is not asked again, and its words are not logged [DECISIONS §13]', async () => {
    const server = await mailServer(refusing(550));
    const context = at(server.port);
    await queue(context);
    const [error] = await sending(context).failed(1);
    expect(error).toMatch(/to a…@clinic\.test could not be sent \(EENVELOPE 550 RCPT TO\) and is given up\.$/);
    await nothingWaits();
  });

  it.each([
    ['the sender', 'onMailFrom', 550, 'not this sender'],
    ['a sender who has not signed in', 'onMailFrom', 530, '5.7.0 Authentication required'],
    ['each recipient of a sender who has not signed in', 'onRcptTo', 530, 'Authentication required'],
    ['each recipient elsewhere', 'onRcptTo', 554, '5.7.1 Relay access denied'],
  ] as const)('%s is asked again: its settings may be mended [DECISIONS §13]', async (_, step, responseCode, words) => {
    const refuse: SMTPServerOptions[typeof step] = (_address, _session, done) =>
      done(Object.assign(new Error(words), { responseCode }));
    const server = await mailServer({ [step]: refuse });
    const context = at(server.port);
    await queue(context);
    expect(await sending(context).failed(1)).toEqual([
      expect.stringMatching(
        `^Mail \\S+ to a…@clinic\\.test could not be sent \\(EENVELOPE ${responseCode} .*and will be tried again\\.$`,
      ),
    ]);
    expect(await waiting()).toHaveLength(1);
  });

  it('an address for now is asked again [DECISIONS §13]', async () => {
    const server = await mailServer(refusing(451));
    const context = at(server.port);
    await queue(context);
    expect(await sending(context).failed(1)).toEqual([expect.stringMatching(/451.*and will be tried again\.$/)]);
    expect(await waiting()).toHaveLength(1);
  });

  it('to say anything is left alone after a while [DECISIONS §13]', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket.on('error', () => {})));
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    const context = at((mute.address() as AddressInfo).port);
    await queue(context);
    const [error] = await sending(context, 200).failed(1);
    expect(error).toMatch(/ETIMEDOUT.*and will be tried again\.$/);
  });
});

describe('a mail with a link', () => {
  it('is the next that is sent, however many others wait and however slow the mail server is [DECISIONS §13]', async () => {
    const begun: { address: string; take: () => void }[] = [];
    let isSlow = true;
    const server = await mailServer({
      onRcptTo: ({ address }, _, done) => {
        begun.push({ address, take: done });
        if (!isSlow) done();
      },
    });
    const context = at(server.port);
    await context.platform.transaction().execute(async (trx) => {
      const alert = { to: ADA, subject: 'Alert', paragraphs: [], validUntil: inMinutes(24 * 60) };
      for (let n = 0; n < 200; n += 1) await queueMail(context, trx, alert);
    });
    sending(context, 120_000);
    // As many as are sent at once.
    await expect.poll(() => begun.length).toBe(2);
    await queue(context, { to: { name: '', address: 'link@clinic.test' }, linkHash: Buffer.alloc(32) });
    for (const { take } of begun.splice(0)) take();
    await expect.poll(() => begun.length).toBe(2);
    expect(begun.map(({ address }) => address).toSorted()).toEqual([ADA.address, 'link@clinic.test']);
    isSlow = false;
    for (const { take } of begun) take();
  });

  it('is found without those that wait without one being read [DECISIONS §13]', async () => {
    const context = at(1);
    await queue(context, { linkHash: Buffer.alloc(32) });
    await sql`
      insert into mails (id, sealed, valid_until, due_at)
      select gen_random_uuid(), sealed, valid_until, due_at - interval '1 hour' from mails, generate_series(1, 2000)`.execute(
      context.platform,
    );
    const submit = vi.spyOn(pg.Query.prototype, 'submit');
    const claimed = await claimMail(context.platform, test.clock.now, 300);
    const sent = submit.mock.contexts
      .filter((query) => query instanceof pg.Query)
      .map((query) => ({ text: String(Reflect.get(query, 'text')), values: Reflect.get(query, 'values') }));
    submit.mockRestore();
    const claim = sent.find(({ text }) => text.startsWith('update "mails"'));
    const link = await context.platform.selectFrom('mails').select('id').where('linkHash', 'is not', null).execute();
    expect(link).toEqual([{ id: claimed?.id }]);
    await passUntilDue(300);
    const { rows } = await test.context.pool.query(`explain (analyze, format json) ${claim?.text}`, claim?.values);
    expect(rowsReadOf(rows[0]['QUERY PLAN'][0].Plan, 'mails')).toBeLessThan(10);
  });
});

describe('two server processes', () => {
  it('send each of 40 mails once [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    const subjects = Array.from({ length: 40 }, (_, n) => `Mail ${n}`);
    for (const subject of subjects) await queue(context, { subject });
    const both = [sending(context), sending(context)];
    await server.taken(40);
    await nothingWaits();
    const sent = server.mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1]);
    expect(sent.toSorted()).toEqual(subjects.toSorted());
    expect(both.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

describe('two server processes whose clocks are a year apart', () => {
  /** In minutes. */
  const YEAR = 365 * 24 * 60;
  const HELD = { name: 'Late', address: 'late@clinic.test' };

  it('send a mail once, also one that the mail server is slow to take [DECISIONS §13]', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let attempts = 0;
    const server = await mailServer({
      onRcptTo: ({ address }, _, done) => {
        if (address !== HELD.address) return done();
        attempts += 1;
        void released.then(() => done());
      },
    });
    const right = at(server.port);
    const looks = { right: 0, ahead: 0 };
    /** A process that counts how often it looks for a mail. */
    const counted = (name: keyof typeof looks, minutes: number) => ({
      ...right,
      now: () => {
        looks[name] += 1;
        return inMinutes(minutes);
      },
    });
    const ahead = counted('ahead', YEAR);
    await queue(ahead, { to: HELD, validUntil: inMinutes(2 * YEAR) });
    // Held for as long as both need to look.
    const sent = [counted('right', 0), ahead].map((context) => sending(context, 120_000));
    await expect.poll(() => attempts).toBeGreaterThan(0);
    const before = { ...looks };
    await expect.poll(() => Math.min(looks.right - before.right, looks.ahead - before.ahead)).toBeGreaterThan(5);
    expect(attempts).toBe(1);
    release();
    await nothingWaits();
    expect(server.mails).toHaveLength(1);
    expect(sent.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('both wait until a mail is tried again [DECISIONS §13]', async () => {
    const context = at(1);
    const ahead = { ...context, now: () => inMinutes(YEAR) };
    await queue(ahead, { validUntil: inMinutes(2 * YEAR) });
    const began = await readClock(context.platform);
    const both = [sending(context), sending(ahead)];
    await expect.poll(() => both.flatMap(({ errors }) => errors).length).toBeGreaterThan(1);
    expect((await readClock(context.platform)).getTime() - began.getTime()).toBeGreaterThanOrEqual(2_000);
  });
});

describe('a mail that a killed server process had taken', () => {
  it('is sent by another one, five minutes later [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = at(server.port);
    await queue(context);
    await claimMail(context.platform, test.clock.now, 300);
    const { errors } = sending(context);
    await passUntilDue(200);
    await queue(context, { subject: 'Another' });
    expect((await server.taken(1)).map(({ source }) => source.includes('Another'))).toEqual([true]);
    await passUntilDue(100);
    await server.taken(2);
    await nothingWaits();
    expect(errors).toEqual([]);
  });
});

describe('TLS', () => {
  const certificates = tls.getCACertificates();
  afterEach(() => tls.setDefaultCACertificates(certificates));

  async function makeCertificate() {
    const altNames = ['127.0.0.1', '0.0.0.0'].map((ip) => ({ type: 7 as const, ip }));
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'mail.clinic.test' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames }],
    });
    return { cert, key, trust: () => tls.setDefaultCACertificates([...certificates, cert]) };
  }

  // An address of this machine that does not look like one, so that TLS is required.
  const away = (port: number) => contextFor(`smtp://0.0.0.0:${port}`);

  it('is required of a server that is not on this machine: nothing is sent without [DECISIONS §13]', async () => {
    const server = await mailServer();
    const context = away(server.port);
    await queue(context);
    expect(await sending(context).failed(1)).toEqual([expect.stringMatching(/and will be tried again\.$/)]);
    expect(server.mails).toEqual([]);
  });

  it('by STARTTLS needs a certificate that is trusted [DECISIONS §13]', async () => {
    const { cert, key, trust } = await makeCertificate();
    const server = await mailServer({ disabledCommands: ['AUTH'], cert, key });
    const context = away(server.port);
    await queue(context);
    const { failed } = sending(context);
    expect(await failed(1)).toEqual([expect.stringMatching(/and will be tried again\.$/)]);
    expect(server.mails).toEqual([]);
    trust();
    await passUntilDue(2);
    expect(await server.taken(1)).toEqual([expect.objectContaining({ secure: true })]);
  });

  it('from the first byte on, with user and password, by smtps [DECISIONS §13]', async () => {
    const { cert, key, trust } = await makeCertificate();
    trust();
    const server = await mailServer({
      secure: true,
      disabledCommands: [],
      authOptional: false,
      cert,
      key,
      onAuth: ({ username, password }, _, done) =>
        password === 'p@ss:word' ? done(null, { user: username }) : done(new Error('wrong')),
    });
    const context = contextFor(`smtps://console:p%40ss%3Aword@127.0.0.1:${server.port}`);
    await queue(context);
    sending(context);
    expect(await server.taken(1)).toEqual([expect.objectContaining({ secure: true, user: 'console' })]);
  });
});
