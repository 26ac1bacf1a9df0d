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
  return [...new Set(clipped)];

  function clippedBy(box: DOMRect, host: HTMLElement): string | undefined {
    let hasEllipsis = false;
    for (let around: HTMLElement | null = host; around; around = around.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(around);
      hasEllipsis ||= overflowX !== 'visible' && textOverflow === 'ellipsis';
      const frame = around.getBoundingClientRect();
      // Half a line of rounding: letters have less height than their line.
      const [x, y] = [box.right > frame.right + 1 || box.left < frame.left - 1, box.bottom > frame.bottom + 4];
      if ((overflowX === 'hidden' || overflowX === 'clip') && x && !hasEllipsis) return around.outerHTML.slice(0, 80);
      if ((overflowY === 'hidden' || overflowY === 'clip') && y) return around.outerHTML.slice(0, 80);
      if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll')
        return undefined;
    }
    return box.right > window.innerWidth + 1 && !hasEllipsis ? 'the page' : undefined;
  }
}
