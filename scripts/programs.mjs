// Makes sure that there is a program that tests need; installs Debian's package of its name as root.
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail } from './setup.mjs';

/**
 * Looks for a program on the PATH; as root it installs Debian's package, which is called as the program is.
 * @param name such as age
 * @param product as people call it; absent: its name
 */
export function ensureProgram(name, product = name) {
  if (isFound(name)) return;
  installPackage(name, product);
  if (!isFound(name)) fail(`The tests need ${product}: install the package ${name}.`);
}

const isFound = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => isExecutable(join(folder, name)));
