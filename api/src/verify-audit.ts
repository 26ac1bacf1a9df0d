import { parseArgs } from 'node:util';
import { verifyAudit } from './audit/audit.service.ts';
import { type Anchor, findAnchor } from './audit/signatures.ts';
import { findAnchorInFile, verifyTrailFile } from './audit/trail-file.ts';
import { type Config, readConfig, StartError } from './config.ts';
import { openExistingInstallation } from './existing-installation.ts';
import { deriveKeys, readStoredSecrets } from './secrets.ts';

/**
 * `npm run audit:verify`: says whether the audit trail is complete and unaltered (DECISIONS §12). With `--file` it verifies a file of
 * the whole trail, with `--anchor` it compares with an anchor too, or with the newest one in a file such as a log.
 * @returns the exit code
 */
async function main(): Promise<number> {
  const { file, anchor } = readArguments();
  const config = readConfig(process.env);
  const { entries, problem } =
    file === undefined ? await verifyDatabase(config, anchor) : await verifyFile(config, file, anchor);
  if (problem) process.stderr.write(`${problem}\n`);
  else process.stdout.write(`${entries} audit entries, none altered or removed.\n`);
  return problem ? 1 : 0;
}

function readArguments(): { file?: string | undefined; anchor?: string | undefined } {
  try {
    return parseArgs({ options: { file: { type: 'string' }, anchor: { type: 'string' } } }).values;
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

async function verifyDatabase(config: Config, anchor: string | undefined) {
  // Appends nothing, and says of each trail what is wrong.
  const installation = await openExistingInstallation(config, { refusesOtherSecret: false });
  try {
    const { platform, keys } = installation.context;
    return await verifyAudit(platform, keys.audit, await readAnchor(keys.audit, anchor));
  } finally {
    await installation.close();
  }
}

/** Needs the secret of the trail's installation, and nothing else of it. */
async function verifyFile(config: Config, file: string, anchor: string | undefined) {
  const { audit } = deriveKeys(config.secret ?? (await readStoredSecrets(config.dataDir)).secret);
  const known = await readAnchor(audit, anchor);
  return verifyTrailFile(audit, file, known).catch(refuseUnreadable(file));
}

const refuseUnreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === undefined ? error : new StartError(`Cannot read ${path}: ${error.message}`);
};

/** @param given a line with an anchor, or the path of a file that has some */
async function readAnchor(key: Uint8Array, given: string | undefined): Promise<Anchor | undefined> {
  if (given === undefined) return undefined;
  const found =
    findAnchor(key, given) ?? (await findAnchorInFile(key, given).catch(unlessNoFile).catch(refuseUnreadable(given)));
  if (!found)
    throw new StartError('--anchor names neither a line nor a file with an anchor that this secret has signed');
  return found;
}

/** A line without an anchor is no path, or one that is too long. */
function unlessNoFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENAMETOOLONG') throw error;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    const text = error instanceof StartError ? `The audit trail cannot be read: ${error.message}` : error.stack;
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  },
);
