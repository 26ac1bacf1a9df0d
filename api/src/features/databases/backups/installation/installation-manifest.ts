import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storedSecrets } from '../../../../secrets.ts';

/** What stands behind the dump of the control database in a backup of the installation. */
export const installationManifest = z.object({
  version: z.literal(1),
  /** When the dump was begun. */
  madeOnUtc: z.iso.datetime(),
  /** The newest migration of the control database. */
  schema: z.string(),
  secrets: storedSecrets,
  /** Environment variables that differed from their defaults; none is a secret. */
  settings: z.record(z.string(), z.string()),
});
export type InstallationManifest = z.infer<typeof installationManifest>;

/** What a server process knows of its installation beside the control database. */
export type KeptApart = Pick<InstallationManifest, 'secrets' | 'settings'>;

/** Name of the backup of an installation in a store, and what it says. */
export interface InstallationObject {
  name: string;
  /** As in the name: 20261123T001358Z. */
  moment: string;
  /** Tells installations that share a store apart. */
  fingerprint: string;
}

/** What every such name begins with. */
export const BEGINNING = 'installation-';
const NAME = new RegExp(`^${BEGINNING}(\\d{8}T\\d{6}Z)-([0-9a-f]{8})\\.dump\\.age$`);

/** @returns undefined for any other object */
export function parseObjectName(name: string): InstallationObject | undefined {
  const [, moment, fingerprint] = NAME.exec(name) ?? [];
  return moment !== undefined && fingerprint !== undefined ? { name, moment, fingerprint } : undefined;
}

export function objectName(madeAt: Date, secret: string): string {
  const moment = madeAt.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${BEGINNING}${moment}-${fingerprintOf(secret)}.dump.age`;
}

/** A few bits of a digest: it says nothing of a secret of 32 random bytes. */
const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(`apotheca installation ${secret}`).digest('hex').slice(0, 8);

/** How many days have their newest backup kept. */
const DAYS = 7;

/**
 * The backups of an installation that are no longer kept: all but the newest of each of the last seven days that have one. Those that are
 * named after a later moment than the one that was made last were made by a clock that was ahead: they are older than all others.
 * @param last name of the one that was made last, which is kept in any case
 * @throws Error where it is no name of a backup of an installation
 */
export function planRemoval(names: readonly string[], last: string): string[] {
  const made = parseObjectName(last);
  if (!made) throw new Error(`${last} is no backup of an installation.`);
  const own = names
    .flatMap((name) => parseObjectName(name) ?? [])
    .filter(({ fingerprint }) => fingerprint === made.fingerprint);
  const isAhead = ({ moment }: InstallationObject) => Number(moment > made.moment);
  const newestFirst = own.toSorted((one, two) => isAhead(one) - isAhead(two) || (one.moment < two.moment ? 1 : -1));
  const days = new Set<string>();
  return newestFirst.flatMap(({ name, moment }) => {
    const day = moment.slice(0, 8);
    const isKept = !days.has(day) && days.size < DAYS;
    days.add(day);
    return isKept ? [] : [name];
  });
}
