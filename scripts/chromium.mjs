// Finds a Chromium for the browser tests; installs Debian's package as root.
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { installPackages, isExecutable } from './packages.mjs';
import { fail, root } from './setup.mjs';

/** Debian's Chromium without windows comes first: the tests need a third less processor time with it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Debian's packages of it, the best first. */
export const CHROMIUM_PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Path of a Chromium: APOTHECA_CHROMIUM, the system's, Playwright's; undefined if there is none. */
export const findChromium = () => process.env.APOTHECA_CHROMIUM || onPath() || playwrights();

/** Path of a Chromium, else of Debian's package when run as root. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  for (const name of CHROMIUM_PACKAGES) {
    installPackages([name]);
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
  try {
    const path = createRequire(join(root, 'e2e/package.json'))('@playwright/test').chromium.executablePath();
    return isExecutable(path) ? path : undefined;
  } catch {
    // Playwright is not installed yet.
    return undefined;
  }
}
