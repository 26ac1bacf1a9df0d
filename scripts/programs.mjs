// Makes sure that there is a program that tests need; installs its package of Debian as root.
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail } from './setup.mjs';

/**
 * Looks for a program on the PATH; as root it installs Debian's package.
 * @param name such as age
 * @param product as people call it; absent: its name
 * @param packageName absent: the program's name
 */
export function ensureProgram(name, product = name, packageName = name) {
  if (isFound(name)) return;
  installPackage(packageName, product);
  if (!isFound(name)) fail(`The tests need ${product}: install the package ${packageName}.`);
}

const isFound = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => isExecutable(join(folder, name)));
