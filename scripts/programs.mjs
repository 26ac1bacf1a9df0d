// Makes sure that there is pgBackRest, which the tests of moments need; installs Debian's package as root.
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail } from './setup.mjs';

/** Looks on the PATH; as root it installs Debian's package. */
export function ensurePgBackRest() {
  if (isFound()) return;
  installPackage('pgbackrest', 'pgBackRest');
  if (!isFound()) fail('The tests need pgBackRest: install the package pgbackrest.');
}

const isFound = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => isExecutable(join(folder, 'pgbackrest')));
