import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { clippedTexts } from '../clipped-texts.ts';
import { expect, signIn, test } from '../fixtures.ts';
import { addFirstRows, LISTS, openList } from '../long-lists.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

// A list may be asked for once more just before a test ends, and what answers in its place needs the browser until it has.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

/** In a long run all lists at each width, otherwise every second one: the others are looked at at the other width. */
const listsOf = (turn: 0 | 1) => LISTS.filter((_, index) => IS_LONG_RUN || index % 2 === turn);

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** The lists in which many rows are selected at once. */
const SELECTABLE = ['/tenants', '/users', '/database'];

/** Cells of the first rows, and headings, that are out of sight or lie over another one. */
const badlyPlaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scroller = document.querySelector('.data-table-scroller');
    if (!scroller) return ['no list'];
    const frame = scroller.getBoundingClientRect();
    const found = scroller.scrollWidth > scroller.clientWidth ? ['the list scrolls sideways'] : [];
    for (const row of [...scroller.querySelectorAll('tr:not(.spacer)')].slice(0, 12)) {
      const cells = [...row.children].filter((cell) => !cell.classList.contains('visually-hidden'));
      const boxes = cells.map((cell) => cell.getBoundingClientRect());
      for (const [index, box] of boxes.entries()) {
        const name = cells[index]?.textContent ?? '';
        if (box.left < frame.left || box.right > frame.right + 1) found.push(`${name} is out of sight`);
        const over = boxes.findIndex(
          (other, place) =>
            place > index &&
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
        );
        if (over >= 0) found.push(`${name} lies over ${cells[over]?.textContent}`);
      }
    }
    return found;
  });

/** States that are not whole in their cell: an ellipsis cannot stand for part of one. */
const cutStates = (page: Page): Promise<string[]> =>
  page
    .locator('tbody td:not(.visually-hidden) .badge')
    .evaluateAll((badges) =>
      badges
        .filter(
          (badge) =>
            badge.getBoundingClientRect().right > (badge.closest('td')?.getBoundingClientRect().right ?? 0) + 1,
        )
        .map(({ textContent }) => textContent ?? ''),
    );

/**
 * Adds a copy of a row to a list, and takes it away again.
 * @returns how many elements the browser computed the style of, and how many are in the row and in the page. Counts, not times.
 */
async function elementsStyled(page: Page): Promise<{ styled: number; row: number; page: number }> {
  const cdp = await page.context().newCDPSession(page);
  const events: { name: string; ts: number; args: { elementCount?: number } }[] = [];
  cdp.on('Tracing.dataCollected', ({ value }: { value: object[] }) => events.push(...(value as typeof events)));
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'blink.user_timing'] },
  });
  const counts = await page.evaluate(() => {
    const row = document.querySelector('tbody tr:not(.spacer)');
    const copy = row?.cloneNode(true) as Element;
    // The browser computes what has changed when it is asked for a height. First, what is none of this: rows that come meanwhile.
    const compute = () => document.body.offsetHeight;
    compute();
    performance.mark('added');
    row?.parentElement?.append(copy);
    const height = compute();
    copy.remove();
    const before = compute();
    performance.mark('removed');
    return { row: copy.querySelectorAll('*').length, page: document.querySelectorAll('*').length, height, before };
  });
  const complete = new Promise((fulfil) => cdp.once('Tracing.tracingComplete', fulfil));
  await cdp.send('Tracing.end');
  await complete;
  await cdp.detach();
  const at = (mark: string) => events.find(({ name }) => name === mark)?.ts ?? Number.NaN;
  const within = events.filter(({ ts }) => ts >= at('added') && ts <= at('removed'));
  const styled = within.reduce(
    (sum, { name, args }) => sum + ((name === 'UpdateLayoutTree' && args.elementCount) || 0),
    0,
  );
  return { styled, ...counts };
}

test('a row that comes into a list of 300 leaves the styles of the others alone [§9]', async ({ signedIn: page }) => {
  await addFirstRows(page, 'STYLEROWS');
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const list of LISTS.filter(({ long }) => long)) {
    await openList(page, list);
    // They come in turns.
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThanOrEqual(300);
    const { styled, row, page: all } = await elementsStyled(page);
    expect(all, list.path).toBeGreaterThan(200 * row);
    expect(styled, list.path).toBeGreaterThan(0);
    expect(styled, `${list.path}, with ${row} elements in a row, of ${all}`).toBeLessThan(4 * row);
  }
});

test('at 1280 px all columns of each list are in sight, and no text is cut off without a hint [§2.6] [§9]', async ({
  signedIn: page,
}) => {
  await addFirstRows(page, 'WIDEROWS');
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const list of listsOf(0)) {
    await openList(page, list);
    expect(await badlyPlaced(page), list.path).toEqual([]);
    expect(await clippedTexts(page), list.path).toEqual([]);
  }
});

test('on a phone each row is a card, and the list can still be sorted [§2.6] [§9]', async ({ signedIn: page }) => {
  await addFirstRows(page, 'CARDROWS');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const list of listsOf(1)) {
    await openList(page, list);
    expect(await clippedTexts(page), list.path).toEqual([]);
    expect(await cutStates(page), list.path).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), list.path).toBe(390);
  }
  await page.goto('/tenants');
  const card = page.locator('tr[data-index="0"]');
  await expect(card.getByRole('cell')).toHaveCount(12);
  await expect(card.getByRole('cell').filter({ hasText: 'ALLERGYASTHMA' })).toBeInViewport({ ratio: 1 });
  const expiry = page.getByRole('columnheader', { name: 'Expiry Date' });
  await expiry.getByRole('button').click();
  await expect(expiry).toHaveAttribute('aria-sort', 'ascending');
});

test('no row moves when one is selected, and the bar below them covers none that the keyboard is in [§2.25] [§9]', async ({
  signedIn: page,
}) => {
  await addFirstRows(page, 'TICKROWS');
  const bar = page.getByRole('region', { name: 'Selected rows' });
  const box = (index: number) => page.locator(`tr[data-index="${index}"] input`);
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    for (const list of LISTS.filter(({ path }) => SELECTABLE.includes(path))) {
      await openList(page, list);
      const before = await box(0).boundingBox();
      await box(0).dblclick();
      await expect(box(0)).not.toBeChecked();
      await box(0).click();
      await expect(bar).toBeInViewport({ ratio: 1 });
      expect(await box(0).boundingBox(), list.path).toEqual(before);
      await page.keyboard.press('Escape');
      await expect(bar).toBeHidden();

      await page.keyboard.press('End');
      await page.keyboard.press('Space');
      await expect(bar).toBeInViewport({ ratio: 1 });
      const last = page.locator('tr:has(input:focus)');
      expect(await last.getAttribute('data-index'), list.path).toBe('299');
      await expect(last.locator('input')).toBeInViewport({ ratio: 1 });
    }
  }
});

test('at 400 % the rows of a list can be reached, and nothing sticks over them [§9]', async ({ signedIn: page }) => {
  await addTenant(page, 'ZOOMROWS');
  await page.setViewportSize({ width: 320, height: 200 });
  await page.goto('/tenants');
  await expect(page.getByText(/^Displaying/)).toBeVisible();
  const row = page.locator('tr[data-index="0"]');
  const first = row.getByRole('button').first();
  await first.focus();
  // A browser leaves where it is what is in sight but for its edge.
  await first.scrollIntoViewIfNeeded();
  await expect(first).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('contentinfo')).not.toHaveCSS('position', 'sticky');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('how a person has arranged a list is there in another browser [§2.6]', async ({ signedIn, openBrowser }) => {
  // A person of their own: other tests find all columns.
  const arranger = { username: 'arranger', password: PASSWORD };
  await signedIn.goto('/users');
  await createUser(signedIn, arranger.username, 'Administrator');
  const page = await openBrowser();
  await signIn(page, arranger);
  await page.goto('/users');
  await expect(page.getByText(/^Displaying/)).toBeVisible();
  const email = page.getByRole('columnheader', { name: 'Email' });
  const box = await email.boundingBox();
  if (!box) throw new Error('The heading has no box.');
  const kept = page.waitForResponse((response) => {
    const { layout } = response.request().postDataJSON() ?? {};
    return response.ok() && layout?.widths.email === 400 && layout.hidden.length === 1;
  });
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('checkbox', { name: 'Role' }).click();
  await kept;
  const other = await openBrowser();
  await signIn(other, arranger);
  await other.goto('/users');
  await expect(other.getByText(/^Displaying/)).toBeVisible();
  await expect(other.getByRole('columnheader', { name: 'Role' })).toHaveCount(0);
  await expect
    .poll(async () => (await other.getByRole('columnheader', { name: 'Email' }).boundingBox())?.width)
    .toBe(400);
});
