import { authRoutes } from '@apotheca/contract/auth';
import { recoveryRoutes } from '@apotheca/contract/recovery';
import { userRoutes } from '@apotheca/contract/users';
import { expect, it, onTestFinished } from 'vitest';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { userInput } from '../../../testing/builders.ts';
import { createEmptyDatabase } from '../../../testing/databases.ts';
import { plainTextOf, startMailServer } from '../../../testing/mail-server.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../../../testing/server-process.ts';

it('a link that was asked for comes, though the server is killed before it is sent, and tells the log nothing [DECISIONS §13]', async () => {
  let isAway = true;
  // It keeps its port, which somebody else could take while it is away.
  const mailServer = await startMailServer({ onConnect: (_, done) => done(isAway ? new Error('Not now') : null) });
  onTestFinished(mailServer.close);
  const database = await createEmptyDatabase();
  await withDataDir(async (dataDir) => {
    const settings = {
      DATABASE_URL: database.url,
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
      APOTHECA_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      APOTHECA_MAIL_FROM: 'console@clinic.test',
      APOTHECA_PUBLIC_URL: 'https://console.clinic.test',
    };
    const killed = await startServer(settings);
    const token = await signInToServer(killed.url);
    const options = await callServer(killed.url, userRoutes.options, { token });
    const body = userInput('killed', options.result.roles[0].id, { email: 'killed@people.test' });
    expect((await callServer(killed.url, userRoutes.create, { token, body })).status).toBe(200);
    const asked = await callServer(killed.url, recoveryRoutes.request, { body: { email: 'killed@people.test' } });
    expect(asked.status).toBe(200);
    await expect.poll(() => killed.output()).toContain('k…@people.test could not be sent');
    await killed.kill();
    isAway = false;
    const server = await startServer(settings);
    const [mail] = await mailServer.taken(1);
    if (!mail) throw new Error('No mail was taken.');
    const [, link = ''] = /#token=([\w-]{43})\s/.exec(plainTextOf(mail)) ?? [];
    const password = 'a new one of mine';
    const chosen = { token: link, password, confirmPassword: password };
    expect((await callServer(server.url, recoveryRoutes.recover, { body: chosen })).status).toBe(200);
    const signIn = { body: { username: 'killed', password } };
    expect((await callServer(server.url, authRoutes.authenticate, signIn)).status).toBe(200);
    // The notice that the password was changed.
    expect((await mailServer.taken(2)).map(({ to }) => to)).toEqual([['killed@people.test'], ['killed@people.test']]);
    expect(await server.terminate()).toBe(0);
    for (const { output } of [killed, server]) expect(output()).not.toMatch(new RegExp(`killed@|${link}`));
  });
  await database.drop();
});
