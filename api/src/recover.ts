import { parseArgs } from 'node:util';
import { StartError } from './config.ts';
import { type RecoveryOptions, recover } from './recovery/recovery.ts';
import { RecoveryError } from './recovery/recovery-error.ts';

/** `npm run recover`: brings a lost installation back from its stores and the operator's key. @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions();
  const began = performance.now();
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const isComplete = await recover(process.env, options, say);
  say(`${isComplete ? 'Recovered' : 'Recovered in part'} in ${Math.ceil((performance.now() - began) / 1000)} s.`);
  return isComplete ? 0 : 2;
}

function readOptions(): RecoveryOptions {
  try {
    const { values } = parseArgs({ options: { identity: { type: 'string' }, installation: { type: 'string' } } });
    return { identity: values.identity ?? process.env.APOTHECA_BACKUP_IDENTITY, installation: values.installation };
  } catch {
    throw new RecoveryError('The options are --identity FILE and --installation NAME');
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    // What the system refuses, such as a file on a full disk, is no fault of the program.
    const isKnown = error instanceof StartError || error instanceof RecoveryError || 'syscall' in error;
    process.stderr.write(`${isKnown ? `Not recovered: ${error.message}` : error.stack}\n`);
    process.exit(1);
  },
);
