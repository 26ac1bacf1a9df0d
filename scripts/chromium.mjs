// Finds a Chromium for the browser tests; installs Debian's package as root.
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail, root } from './setup.mjs';

/** Debian's Chromium without windows comes first: the tests need a third less processor time with it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium: APOTHECA_CHROMIUM, the system's, Playwright's, else Debian's package when run as root. */
export function ensureChromium() {
  const found = process.env.APOTHECA_CHROMIUM || onPath() || playwrights();
  if (found) return found;
  for (const name of ['chromium-headless-shell', 'chromium']) {
    installPackage(name, 'Chromium');
    const installed = onPath();
    if (installed) return installed;
  }
  return fail('The browser tests need Chromium: install the package chromium, or set APOTHECA_CHROMIUM to its path.');
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function playwrights() {
  const require = createRequire(join(root, 'e2e/package.json'));
  const path = require('@playwright/test').chromium.executablePath();
  return isExecutable(path) ? path : undefined;
}
