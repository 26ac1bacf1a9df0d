import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SERVER_ACTOR } from '../actor.ts';
import { appendAudit, verifyAudit } from '../audit/audit.service.ts';
import { type Config, readConfig } from '../config.ts';
import { removeAnchorsFrom } from '../features/audit/anchors.ts';
import { type Identities, readIdentities } from '../features/databases/backups/stores/encryption.ts';
import { settleDatabases } from '../features/databases/database-settling.ts';
import { tenantsAsOwner } from '../features/tenants/tenants.service.ts';
import { openInstallation } from '../installation.ts';
import { keepSecrets } from '../secrets.ts';
import { settingsToKeep } from '../settings.ts';
import { describePostgres, loadControlDatabase, refuseUsedDatabase, startPostgres } from './control-database.ts';
import { findDatabases } from './found-databases.ts';
import { restoreLost } from './lost-databases.ts';
import { followServers, putBackOpened } from './outliving-servers.ts';
import { keepSettings } from './recovered-settings.ts';
import { deleteParked, endOperations, findSettled, markSettled } from './recovery.repository.ts';
import { RecoveryError } from './recovery-error.ts';
import { type RecoveryNote, readNote, refuseUsedFolder, removeNote, writeNote } from './recovery-note.ts';
import { report } from './recovery-report.ts';
import { compareWithStores, type Recovery } from './stored-archives.ts';
import { findInstallation, type OpenedInstallation, openStoredInstallation } from './stored-installation.ts';

export interface RecoveryOptions {
  /** The file of the operator's key. */
  identity: string | undefined;
  /** Name of the backup of the installation; absent: the newest. */
  installation: string | undefined;
}

/** Why operations of the lost machine have ended. */
const ENDED_BECAUSE = 'The machine was lost while this was under way. What it had done since its last backup is gone.';

/**
 * Brings an installation back from its stores and the operator's key, on a machine that has none. It can be run again after a kill at any
 * moment: it goes on where it was.
 * @returns whether everything is there that the stores tell of
 * @throws RecoveryError, StartError with one line for the terminal
 */
export async function recover(
  environment: Record<string, string | undefined>,
  options: RecoveryOptions,
  say: (line: string) => void,
): Promise<boolean> {
  const lost = new AbortController();
  const { signal } = lost;
  const identities = await openKeyFile(options.identity);
  // The key itself says for whom copies are encrypted.
  const recipients = identities.recipients.join(',');
  const config = readConfig({ ...environment, APOTHECA_BACKUP_RECIPIENT: recipients });
  if (config.stores.places.length === 0)
    throw new RecoveryError('Set APOTHECA_BACKUP_STORES to the stores of the lost installation');
  const note = await begin(config, options, signal);
  const place = config.stores.places.find(({ name }) => name === note.store);
  if (!place) throw new RecoveryError(`This recovery was begun from ${note.store}: name it in APOTHECA_BACKUP_STORES`);
  say(`Recovering from ${note.object} in ${note.store}`);
  const opened = { place, name: note.object };
  const installation = await openStoredInstallation(opened, identities, join(config.dataDir, 'recovery'), signal);
  try {
    const work = recoverFrom(config, {
      note,
      installation,
      identities,
      signal,
      say,
      onLost: (error) => lost.abort(error),
    });
    // Operations would wait until PostgreSQL is back, and the embedded one has nobody else who starts it.
    return await Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
  } finally {
    await installation.remove();
  }
}

async function openKeyFile(path: string | undefined): Promise<Identities> {
  if (!path) throw new RecoveryError('Name the file of your key: --identity FILE, or APOTHECA_BACKUP_IDENTITY');
  try {
    return await readIdentities(await readFile(path, 'utf8'));
  } catch (error) {
    throw new RecoveryError(`The key ${path} cannot be used: ${(error as Error).message}`);
  }
}

/** Goes on with an unfinished recovery, or begins one where there is no installation. */
async function begin(config: Config, { installation }: RecoveryOptions, signal: AbortSignal): Promise<RecoveryNote> {
  const postgres = describePostgres(config);
  const known = await readNote(config.dataDir);
  if (known) {
    if (known.postgres !== postgres)
      throw new RecoveryError(`This recovery was begun with another PostgreSQL (${known.postgres})`);
    if (installation !== undefined && installation !== known.object)
      throw new RecoveryError(`This recovery was begun from ${known.object}: to begin anew, remove the data folder`);
    return known;
  }
  await refuseUsedFolder(config.dataDir);
  await refuseUsedDatabase(config);
  const { name, place } = await findInstallation(config.stores, installation, signal);
  const note = { object: name, store: place.name, postgres, isIncomplete: false };
  await writeNote(config.dataDir, note);
  return note;
}

interface Surroundings extends Pick<Recovery, 'identities' | 'signal' | 'say'> {
  note: RecoveryNote;
  installation: OpenedInstallation;
  /** Told that PostgreSQL ended the session that holds the control database. */
  onLost(error: RecoveryError): void;
}

async function recoverFrom(
  config: Config,
  { note, installation, onLost, ...recovery }: Surroundings,
): Promise<boolean> {
  const { manifest } = installation;
  if (config.secret !== undefined && config.secret !== manifest.secrets.secret) {
    throw new RecoveryError(
      'APOTHECA_SECRET is not the secret of this installation: unset it, the recovered one is kept in the data folder',
    );
  }
  await keepSecrets(config.dataDir, manifest.secrets);
  const postgres = await startPostgres(config, manifest.secrets.postgresPassword);
  try {
    const release = await loadControlDatabase(config, postgres.url, { object: note.object, installation, onLost });
    try {
      await keepSettings(config.dataDir, settingsToKeep(manifest.settings));
      recovery.say(`Control database: as of ${manifest.madeOnUtc}`);
      return await recoverDatabases(config, note, { ...recovery, madeAt: new Date(manifest.madeOnUtc) });
    } finally {
      await release();
    }
  } finally {
    await postgres.stop();
  }
}

async function recoverDatabases(
  config: Config,
  note: RecoveryNote,
  { madeAt, ...surroundings }: Omit<Surroundings, 'note' | 'installation' | 'onLost'> & { madeAt: Date },
): Promise<boolean> {
  // What was being made when the backup was made may be in use by now: servers are followed first.
  // The secret came with the trail; whether that is right is reported at the end.
  const opened = await openInstallation({ ...config, demo: false }, { settles: false, refusesOtherSecret: false });
  const { context } = opened;
  try {
    const recovery = { context, ...surroundings };
    const { object } = note;
    const problems = await settle(recovery, { object, madeAt });
    problems.push(...(await compareWithStores(recovery)));
    await opened.startOperations((error) => problems.push(String(error)));
    problems.push(...(await putBackOpened(recovery)));
    const reasons = await restoreLost(recovery);
    problems.push(...(await checkTrail(recovery, object)));
    const isComplete = await report(recovery, { object, madeAt, problems, reasons });
    await (isComplete ? removeNote(config.dataDir) : writeNote(config.dataDir, { ...note, isIncomplete: true }));
    surroundings.say(`Settings of the lost machine: ${resolve(config.dataDir, 'recovered.env')}`);
    return isComplete;
  } finally {
    await opened.close();
  }
}

/** Verifies the audit trail, and forgets what the stores know of entries that are lost. @returns what is wrong */
async function checkTrail({ context, signal, say }: Recovery, object: string): Promise<string[]> {
  const { platform, keys } = context;
  const { entries, problem } = await verifyAudit(platform, keys.audit);
  if (problem) return [`Audit trail: ${problem}`];
  say(`Audit trail: ${entries} entries, none altered or removed`);
  const problems: string[] = [];
  const { id } = await findSettled(platform, object);
  const onError = (error: unknown) => problems.push(`Audit trail: ${(error as Error).message}`);
  const lost = await removeAnchorsFrom(context, id, { signal, onError });
  if (lost === undefined) return problems;
  say(
    `Audit trail: a verification found entries up to ${lost}; those from ${id} on were made after the backup, and are gone`,
  );
  const changes = { from: id, to: lost };
  const event = { actor: SERVER_ACTOR, action: 'audit.entries-lost', entity: 'audit', entityId: '', changes };
  await platform.transaction().execute((trx) => appendAudit(context, trx, event));
  return problems;
}

/**
 * Makes true what the control database says of the lost machine. A later run finds it done, but for what servers have that answer only now.
 * @returns why servers cannot be asked
 */
async function settle(recovery: Recovery, { object, madeAt }: { object: string; madeAt: Date }): Promise<string[]> {
  const { context } = recovery;
  const { lost, problems } = await findDatabases(context, 'parked');
  await context.platform.transaction().execute(async (trx) => {
    const isFirst = await markSettled(trx, object);
    const operations = isFirst ? await endOperations(trx, { message: ENDED_BECAUSE, at: context.now() }) : 0;
    const parked = await deleteParked(
      trx,
      lost.map(({ id }) => id),
    );
    if (!isFirst && parked.length === 0) return;
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      action: 'installation.recover',
      entity: 'installation',
      entityId: object,
      changes: { madeOnUtc: madeAt.toISOString(), operations, parked },
    });
  });
  await followServers(recovery, (await findSettled(context.platform, object)).id);
  // What these operations were making is undone.
  await settleDatabases(context, tenantsAsOwner(context), { wait: true });
  return problems;
}
