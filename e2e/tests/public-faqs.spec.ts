import { makePlace, openCreate, richText, sendCall, sendContent } from '../faqs-screen.ts';
import { expect, expectAccessibleAsShown, expectAccessibleAtAnyWidth, test } from '../fixtures.ts';
import { server } from '../server.ts';
import { FRAMING_SITE } from '../server-process.ts';

const ANSWER =
  '<h2>Cold</h2><p>Keep it <strong>cold</strong>: <a href="https://a.test">why</a>.</p><ul><li>one</li></ul><pre><code>three</code></pre>';

test('the public page is read, searched and voted on without an account, and axe finds nothing [DECISIONS §13]', async ({
  signedIn: page,
  openBrowser,
}) => {
  const place = await makePlace(page, 'Readers');
  const { faqId, sectionId } = place;
  const fields = { faqId, sectionId, answer: ANSWER, sortOrder: 9 };
  await sendCall(page, '/faqquestionans/create', { ...fields, question: 'How cold is it?' });
  await sendCall(page, '/faqquestionans/create', { ...fields, question: 'Who sees this?', published: false });

  const reader = await openBrowser();
  await reader.goto(`${server.url()}/public/faqs/${faqId}`);
  await expect(reader.getByRole('heading', { name: 'How cold is it?', level: 3 })).toBeVisible();
  await expect(reader.getByText('Who sees this?')).toHaveCount(0);
  expect(await reader.locator('script').count()).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await reader.setViewportSize({ width, height: 800 });
      await expectAccessibleAsShown(reader);
      const overflow = await reader.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  }

  await reader.getByRole('searchbox', { name: 'Search' }).fill('warm');
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('heading', { name: '0 results for “warm”' })).toBeVisible();
  await reader.getByRole('link', { name: 'Show all questions' }).click();
  await reader.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(reader.getByText('Your answer was noted.')).toBeVisible();
  await reader.getByRole('link', { name: 'Back to the question' }).click();
  await expect(reader).toHaveURL(/#q-[\w-]+$/);

  await page.goto(`/section/a/b/${sectionId}`);
  await expect(page.getByRole('row', { name: /How cold is it/ }).getByText('1 of 1')).toBeVisible();
});

/** 2 × 1 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==',
  'base64',
);

test('a picture and a table that an editor makes are on the public page [DECISIONS §13]', async ({
  signedIn: page,
  openBrowser,
}) => {
  const place = await makePlace(page, 'Pictures');
  await page.goto(place.address);
  const dialog = await openCreate(page, 'Q&A');
  await dialog.getByLabel('Question', { exact: true }).fill('How does it look?');
  await richText(dialog, 'Answer').click();
  await page.keyboard.press('Control+Alt+t');
  for (const heading of ['Shelf', 'Range', 'Days']) {
    await page.keyboard.type(heading);
    await page.keyboard.press('ArrowRight');
  }
  await dialog.getByLabel('Picture file').setInputFiles({ name: 'fridge.png', mimeType: 'image/png', buffer: PNG });
  await dialog.getByLabel('Describe it for those who cannot see it').fill('An open fridge');
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByRole('img', { name: 'An open fridge' })).toBeVisible();
  await sendContent(dialog, 'Create');

  const reader = await openBrowser();
  await reader.goto(`${server.url()}/public/faqs/${place.faqId}`);
  const picture = reader.getByRole('img', { name: 'An open fridge' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(2);
  await expect(reader.getByRole('columnheader', { name: 'Shelf' })).toBeVisible();
  await expectAccessibleAsShown(reader);

  // In a frame of another site too, which asks for it as the page's own.
  const body = `<iframe src="${reader.url()}"></iframe>`;
  await reader.route(FRAMING_SITE, (route) => route.fulfill({ contentType: 'text/html', body }));
  // Else Chromium asks whether that site may lead to this machine.
  await reader.context().grantPermissions(['local-network-access'], { origin: FRAMING_SITE });
  await reader.goto(FRAMING_SITE);
  const framed = reader.frameLocator('iframe').getByRole('img', { name: 'An open fridge' });
  await expect.poll(() => framed.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(2);
});
