import type { Page } from '@playwright/test';

/**
 * A toast stays while the window has no focus (§9), so that it is there for as long as a test looks at it. A click may give the window the
 * focus, which the toast must not hear of.
 */
export const holdToasts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    window.addEventListener('focus', (event) => event.stopImmediatePropagation(), { capture: true });
  });
