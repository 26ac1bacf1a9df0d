import { choosePort } from '../../api/src/testing/chosen-port.ts';
import { type MailServer, plainTextOf, startMailServer } from '../../api/src/testing/mail-server.ts';
import { test as base, expect, expectAccessibleAtAnyWidth, expectToast } from '../fixtures.ts';
import { startServer } from '../server-process.ts';
import { createUser, openUser } from '../users-screen.ts';

/** A server of its own, as the one that the tests share sends no mails, and the mail server that it sends to. */
const test = base.extend<object, { mailServer: MailServer; ownServer: string }>({
  mailServer: [
    async ({ browserName: _ }, use) => {
      const mailServer = await startMailServer();
      await use(mailServer);
      await mailServer.close();
    },
    { scope: 'worker' },
  ],
  ownServer: [
    async ({ mailServer }, use) => {
      const port = await choosePort();
      const { url, stop } = await startServer({
        PORT: String(port),
        APOTHECA_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        APOTHECA_MAIL_FROM: 'Apotheca <console@clinic.test>',
        APOTHECA_PUBLIC_URL: `http://127.0.0.1:${port}`,
      });
      await use(url);
      await stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ ownServer }, use) => use(ownServer),
});

test.describe('a forgotten password', () => {
  // The link that was used already is refused.
  test.use({ expectedErrors: [/status of 410/] });

  test('is chosen anew with the link of a mail, once, and signs in [§2.4] [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
    mailServer,
  }) => {
    await page.goto('/users?q=nora');
    await createUser(page, 'nora', 'Viewer');
    const edit = await openUser(page, 'nora');
    await edit.getByLabel('Email').fill('nora@clinic.test');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'hidden' });

    const own = await openBrowser();
    await own.goto('/login');
    await own.getByRole('link', { name: 'I forgot my password' }).click();
    await own.getByLabel('Email').fill('nora@clinic.test');
    await own.getByRole('button', { name: 'Request New Password' }).click();
    await expect(own.getByText('If the address belongs to a user, a mail is on its way there.')).toBeVisible();
    await expectAccessibleAtAnyWidth(own);

    const [mail] = await mailServer.taken(1);
    const link = /http:\S+#token=\S+/.exec(mail ? plainTextOf(mail) : '')?.[0] ?? '';
    const asked: string[] = [];
    own.on('request', (request) => asked.push(request.url()));
    await own.goto(link);
    await expect(own).toHaveURL(/\/recover-password$/);
    await own.getByLabel('Password', { exact: true }).fill('plum Vesuvius 7 kettle');
    await expect(own.getByText('Very hard to guess')).toBeVisible();
    await expectAccessibleAtAnyWidth(own);
    await own.getByLabel('Confirm password', { exact: true }).fill('plum Vesuvius 7 kettle');
    const told = expectToast(own, 'Your password has been changed. Please sign in with it.');
    await own.getByRole('button', { name: 'Change Password' }).click();
    await told;
    await expect(own).toHaveURL(/\/login$/);
    expect(asked.filter((url) => url.includes('token='))).toEqual([]);
    await own.getByLabel('Username').fill('nora');
    await own.getByLabel('Password', { exact: true }).fill('plum Vesuvius 7 kettle');
    await own.getByRole('button', { name: 'Sign In' }).click();
    await expect(own.getByRole('button', { name: /^User menu/ })).toBeVisible();
    expect((await mailServer.taken(2)).map(({ to }) => to)).toEqual([['nora@clinic.test'], ['nora@clinic.test']]);

    const again = await openBrowser();
    await again.goto(link);
    await again.getByLabel('Password', { exact: true }).fill('another one of mine');
    await again.getByLabel('Confirm password', { exact: true }).fill('another one of mine');
    await again.getByRole('button', { name: 'Change Password' }).click();
    await expectToast(again, /^This link was used, /);
  });
});

test('the link is missing: the page says where it comes from [DECISIONS §13]', async ({ page }) => {
  await page.goto('/recover-password');
  await expect(page.getByText('Open this page with the link from the mail')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});
