import type { Page } from '@playwright/test';
import { RICH_TEXT_ATTRIBUTES, RICH_TEXT_TAGS } from '../contract/src/rich-text.ts';

/** The requests of a page that are allowed in addition to its own. */
const LOCAL = ['data:', 'blob:', 'about:'];

/**
 * Collects every sign of a foreign script that runs in a page: a call that injections make, a dialog, a frame, another
 * page, a request to another server, which is answered here. Call it before the page is opened.
 * @param origin the page's own server
 */
export async function watchScripts(page: Page, origin: string): Promise<string[]> {
  const findings: string[] = [];
  const isForeign = (url: URL) => !LOCAL.includes(url.protocol) && url.origin !== origin;
  await page.exposeBinding('reportScript', (_, call: string) => void findings.push(call));
  await page.addInitScript(replaceDialogs);
  page.on('dialog', async (dialog) => {
    findings.push(`${dialog.type()} dialog`);
    await dialog.dismiss();
  });
  page.on('popup', () => findings.push('another page'));
  page.on('frameattached', () => findings.push('a frame'));
  page.on('framenavigated', (frame) => {
    if (isForeign(new URL(frame.url()))) findings.push(`went to ${frame.url()}`);
  });
  await page.route(isForeign, (route) => {
    findings.push(`asked for ${route.request().url()}`);
    return route.fulfill({ body: '' });
  });
  return findings;
}

/** Runs in each page and frame before its own scripts. */
function replaceDialogs() {
  const report: unknown = Reflect.get(window, 'reportScript');
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox']) {
    Reflect.set(window, name, (...given: unknown[]) => {
      if (typeof report === 'function') report(`${name}(${given.join()})`);
    });
  }
}

/**
 * Finds what must not be in a page with rich text: elements that run or load something, and in the rich text all that
 * is not allowed.
 */
export const findForeign = (page: Page): Promise<string[]> =>
  page.evaluate(foreignParts, {
    tags: [...RICH_TEXT_TAGS] as string[],
    attributes: [...RICH_TEXT_ATTRIBUTES] as string[],
  });

function foreignParts({ tags, attributes }: { tags: string[]; attributes: string[] }): string[] {
  const acting =
    'iframe, frame, frameset, object, embed, applet, base, style, portal, fencedframe, [srcdoc], [formaction], form[action], meta[http-equiv], script:not([src^="/"])';
  const harmless = ['http:', 'https:', 'mailto:', 'tel:', 'about:'];
  // The editor's own element for the caret.
  const own = 'br.ProseMirror-trailingBreak, img.ProseMirror-separator';
  // The box in which a table scrolls, and the mark of a chosen cell in the editor.
  const box = '<div class="rich-text-table" role="group" aria-label="Table" tabindex="0">';
  const isOwn = (element: Element) =>
    element.matches(own) || (element.outerHTML.startsWith(box) && element.firstElementChild?.localName === 'table');
  const found: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    const inText = element.closest('.rich-text');
    const isContent = inText !== null && inText !== element && !isOwn(element);
    if (element.matches(acting)) found.push(element.outerHTML.slice(0, 200));
    if (isContent && !tags.includes(element.localName)) found.push(`<${element.localName}> in rich text`);
    if (!(element.attributes instanceof NamedNodeMap)) {
      found.push(`<${element.localName}> hides its attributes`);
      continue;
    }
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(`${name}=${value}`);
      // `is` cannot be removed from an element, so sanitizing empties it.
      const isChosenCell = name === 'class' && element.matches('.ProseMirror :is(td, th)') && value === 'selectedCell';
      const isAllowed = attributes.includes(name) || (name === 'is' && value === '') || isChosenCell;
      if (isContent && !isAllowed) found.push(`${name}=${value} in rich text`);
      const isAddress = name.endsWith('href') || name === 'src' || name === 'action';
      if (isAddress && !harmless.includes(URL.parse(value, location.href)?.protocol ?? ''))
        found.push(`${name}=${value}`);
    }
  }
  return found;
}
