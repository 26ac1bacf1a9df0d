// What the tests need of the system: its programs, and Debian's packages with them.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';

/** Installs a package of Debian; does nothing without root's rights or on other systems. @param what in words */
export function installPackage(name, what) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing ${what} …`);
  // Another program may be installing packages at this moment: its lock is waited for, in seconds.
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=600', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '--no-install-recommends', name);
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
