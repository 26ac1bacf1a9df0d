// Finds a Chromium for the browser tests, and installs Debian's where it may.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fail, root } from './setup.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium: APOTHECA_CHROMIUM, the system's, Playwright's, else Debian's package when run as root. */
export function ensureChromium() {
  const found = process.env.APOTHECA_CHROMIUM || onPath() || playwrights();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …');
    const apt = (...args) =>
      spawnSync('apt-get', ['-qq', '-y', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update');
    apt('install', '--no-install-recommends', 'chromium');
  }
  return (
    onPath() ??
    fail('The browser tests need Chromium: install the package chromium, or set APOTHECA_CHROMIUM to its path.')
  );
}

function onPath() {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find(isExecutable);
}

function playwrights() {
  const require = createRequire(join(root, 'e2e/package.json'));
  const path = require('@playwright/test').chromium.executablePath();
  return isExecutable(path) ? path : undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
