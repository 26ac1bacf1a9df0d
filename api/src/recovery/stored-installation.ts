import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupStores, StorePlace } from '../backup-stores.ts';
import { isConnectionError } from '../db/errors/postgres-errors.ts';
import { newestPlatformMigration } from '../db/migrate.ts';
import { verifySealOf } from '../features/databases/backups/archive/archive-seal.ts';
import {
  BEGINNING,
  type InstallationManifest,
  type InstallationObject,
  installationManifest,
  parseObjectName,
} from '../features/databases/backups/installation/installation-manifest.ts';
import type { Identities } from '../features/databases/backups/stores/encryption.ts';
import { reasonOf } from '../features/databases/backups/stores/failures.ts';
import { storeAt } from '../features/databases/backups/stores/store-at.ts';
import { RecoveryError } from './recovery-error.ts';

/** A backup of an installation in a store. */
export interface StoredInstallation extends InstallationObject {
  place: StorePlace;
  /** Whether its name is of a later moment than when the store got it: it was made while the clock was ahead. */
  isAhead: boolean;
}

/**
 * Finds the newest backup of the installation, or the one of a name.
 * @throws RecoveryError when there is none, when a store cannot be asked, or when there are several installations
 */
export async function findInstallation(
  { places }: BackupStores,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<StoredInstallation> {
  const lists = await Promise.all(places.map((place) => listInstallations(place, signal)));
  const names = places.map(({ name }) => name).join(' and ');
  const newestFirst = lists.flat().toSorted((one, two) => (one.moment < two.moment ? 1 : -1));
  // One that was made while the clock was ahead is the newest by its name until that moment is over.
  const all = newestFirst.toSorted((one, two) => Number(one.isAhead) - Number(two.isAhead));
  const found = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const [newest] = found;
  if (!newest) {
    const what = wanted === undefined ? 'no backup of an installation (installation-….dump.age)' : `no ${wanted}`;
    throw new RecoveryError(`There is ${what} in ${names}`);
  }
  const others = found.filter(({ fingerprint }) => fingerprint !== newest.fingerprint);
  if (others.length === 0) return newest;
  const one = [newest, others[0]].map((each) => each?.name).join(' or ');
  throw new RecoveryError(
    `${names} has backups of several installations: choose one with --installation, such as ${one}`,
  );
}

async function listInstallations(place: StorePlace, signal: AbortSignal): Promise<StoredInstallation[]> {
  const objects = await storeAt(place)
    .list(BEGINNING, signal)
    .catch((error: unknown) => {
      throw new RecoveryError(`${place.name} cannot be read: ${reasonOf(error)}`);
    });
  return objects.flatMap(({ name, storedAt }) => {
    const parsed = parseObjectName(name);
    return parsed ? [{ ...parsed, place, isAhead: timeOf(parsed) > storedAt.getTime() + CLOCKS_APART }] : [];
  });
}

/** By how much the clocks of server and store may differ, in milliseconds. */
const CLOCKS_APART = 3_600_000;

/** @see InstallationObject.moment */
const timeOf = ({ moment }: InstallationObject): number =>
  Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** A backup of an installation that lies opened on this machine. */
export interface OpenedInstallation {
  manifest: InstallationManifest;
  /** Of the dump of the control database, which the manifest and so the secret follow. */
  path: string;
  remove(): Promise<void>;
}

/** Fetches a backup of the installation and opens its seal. @param folder for the opened file only @throws RecoveryError */
export async function openStoredInstallation(
  { place, name }: Pick<StoredInstallation, 'place' | 'name'>,
  identities: Identities,
  folder: string,
  signal: AbortSignal,
): Promise<OpenedInstallation> {
  const remove = () => rm(folder, { recursive: true, force: true });
  // What a killed run left has the secret in it.
  await remove();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'installation.dump');
  try {
    const content = await identities.decrypt(storeAt(place).read(name, signal));
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    const { isSealed, manifest } = await verifySealOf(path, installationManifest);
    if (!isSealed || !manifest) throw new Error('it has no seal');
    if (manifest.schema > newestPlatformMigration()) {
      throw new RecoveryError(
        `${name} was made by a newer version of Apotheca (${manifest.schema}): recover with that one`,
      );
    }
    return { manifest, path, remove };
  } catch (error) {
    await remove();
    if (error instanceof RecoveryError) throw error;
    throw new RecoveryError(explain(error, `${name} in ${place.name}`));
  }
}

function explain(error: unknown, what: string): string {
  const reason = reasonOf(error);
  if (/no identity matched/i.test(reason)) return `The key does not open ${what}: it was encrypted for another one`;
  const advice = isConnectionError(error)
    ? 'Try again once the store answers'
    : 'Choose an older one with --installation, if it is damaged';
  return `${what} cannot be opened: ${reason.replace(/\.$/, '')}. ${advice}`;
}
