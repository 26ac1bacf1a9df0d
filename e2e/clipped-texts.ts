import type { Page } from '@playwright/test';

/** The texts of a page that are cut off without an ellipsis and cannot be scrolled to. */
export const clippedTexts = (page: Page): Promise<string[]> => page.evaluate(findClippedTexts);

/** Runs in the page. */
function findClippedTexts(): string[] {
  const clipped: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const host = node.parentElement;
    if (text === '' || !host?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (host.closest('.visually-hidden, .skip-link, [inert], [aria-hidden="true"], option, textarea')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const at = clippedBy(box, host);
      if (at) clipped.push(`${text.slice(0, 60)} (in ${at})`);
    }
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input:placeholder-shown')) {
    if (field.checkVisibility({ visibilityProperty: true }) && isPlaceholderClipped(field))
      clipped.push(`${field.placeholder} (a placeholder)`);
  }
  return [...new Set(clipped)];

  function isPlaceholderClipped(field: HTMLInputElement): boolean {
    const { font, textOverflow, paddingLeft, paddingRight } = getComputedStyle(field);
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen || textOverflow === 'ellipsis') return false;
    pen.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return pen.measureText(field.placeholder).width > room + 1;
  }

  function clippedBy({ left, right, bottom }: DOMRect, host: HTMLElement): string | undefined {
    // What of the text is to be seen, from box to box: an ellipsis says that the rest is left out.
    let [start, end] = [left, right];
    for (let around: HTMLElement | null = host; around; around = around.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(around);
      const frame = around.getBoundingClientRect();
      const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      if (hides(overflowX) && textOverflow === 'ellipsis') {
        [start, end] = [Math.max(start, frame.left), Math.min(end, frame.right)];
      }
      if (hides(overflowX) && (end > frame.right + 1 || start < frame.left - 1)) return around.outerHTML.slice(0, 80);
      // Half a line of rounding: letters have less height than their line.
      if (hides(overflowY) && bottom > frame.bottom + 4) return around.outerHTML.slice(0, 80);
      if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll')
        return undefined;
    }
    return end > window.innerWidth + 1 ? 'the page' : undefined;
  }
}
