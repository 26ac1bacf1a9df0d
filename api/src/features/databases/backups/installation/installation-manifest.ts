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
export const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(`apotheca installation ${secret}`).digest('hex').slice(0, 8);

/** How many days have their newest backup kept. */
const DAYS = 7;

/** The backups of an installation that are no longer kept: all but the newest of each of the last seven days that have one. */
export function planRemoval(names: readonly string[], fingerprint: string): string[] {
  const own = names.flatMap((name) => parseObjectName(name) ?? []).filter((each) => each.fingerprint === fingerprint);
  const newestFirst = own.toSorted((one, two) => (one.moment < two.moment ? 1 : -1));
  const days = new Set<string>();
  return newestFirst.flatMap(({ name, moment }) => {
    const day = moment.slice(0, 8);
    const isKept = !days.has(day) && days.size < DAYS;
    days.add(day);
    return isKept ? [] : [name];
  });
}
