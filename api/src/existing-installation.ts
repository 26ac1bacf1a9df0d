import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, StartError } from './config.ts';
import { databaseNameOf, describeHosts } from './db/connections/connection-string.ts';
import { withPrimaryClient } from './db/connections/primary-client.ts';
import { sessionSettings } from './db/connections/session-settings.ts';
import { isDatabaseMissing } from './db/errors/postgres-errors.ts';
import { type Installation, openInstallation } from './installation.ts';
import { refuseHalfRecovered } from './recovery/recovery-note.ts';
import { readStoredSecrets } from './secrets.ts';

/**
 * Opens an installation for a program that an operator runs by hand; databases stay as they are. Where there is none, none is made: with a
 * wrong data folder or database it would be empty, with nothing wrong, and with a new secret the trail would break.
 * @param refusesOtherSecret false: a trail that was written with another secret is opened, too. For who appends nothing
 * @throws StartError with one line for the terminal
 */
export async function openExistingInstallation(
  config: Config,
  { refusesOtherSecret = true }: { refusesOtherSecret?: boolean } = {},
): Promise<Installation> {
  await refuseHalfRecovered(config.dataDir);
  await refuseMissing(config);
  if (config.secret === undefined) await readStoredSecrets(config.dataDir);
  return openInstallation(config, { settles: false, refusesOtherSecret });
}

async function refuseMissing({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined) {
    // What else is wrong with the folder, as that it is another account's, is found when its secret is read.
    const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';
    if (!(await stat(join(dataDir, 'postgres')).then(() => false, isMissing))) return;
    throw new StartError(`there is no installation in the data folder ${resolve(dataDir)}: set APOTHECA_DATA_DIR`);
  }
  // What else is wrong with the database is found when it is opened.
  if (await isMigrated(databaseUrl).catch((error: unknown) => !isDatabaseMissing(error))) return;
  const name = databaseNameOf(databaseUrl);
  throw new StartError(`DATABASE_URL (${describeHosts(databaseUrl)}) has no installation in its database ${name}`);
}

const isMigrated = (url: string): Promise<boolean> =>
  withPrimaryClient(sessionSettings(url, 'upkeep'), async (client) => {
    const { rows } = await client.query("select to_regclass('kysely_migration') is not null as migrated");
    return rows[0].migrated;
  });
