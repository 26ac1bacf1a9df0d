import { cleanup, configure } from '@testing-library/react';
import { toast } from 'react-toastify/unstyled';
import { afterEach, beforeEach } from 'vitest';
import '../locales/pages.ts';
import { nextTask } from './after-effects.ts';
import './quick-jsdom.ts';

// Only a hang takes longer; the first import of a part of the program is slow on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// jsdom shows no dialogs and layers. What a dialog makes inert is looked at in the browser tests.
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    this.removeAttribute('popover');
  },
  hidePopover() {},
});
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // What was told when a test was over already, so that nothing showed it.
  toast.dismiss();
});

afterEach(async () => {
  cleanup();
  // What is just being told is told before the next test, also where it waits for the code of toasts, which a test may have made fail.
  await import('../components/toast/toasts.tsx').catch(() => {});
  await nextTask();
});

// Files share a page: each begins with an empty one.
for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
document.head.replaceChildren();
document.body.replaceChildren();
history.replaceState(null, '', '/');
