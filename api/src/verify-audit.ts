import { verifyAudit } from './audit/audit.service.ts';
import { readConfig, StartError } from './config.ts';
import { openInstallation } from './installation.ts';

/** `npm run audit:verify`: says whether the audit trail is complete and unaltered (DECISIONS §12). @returns the exit code */
async function main(): Promise<number> {
  const installation = await openInstallation(readConfig(process.env));
  try {
    const { platform, keys } = installation.context;
    const { entries, problem } = await verifyAudit(platform, keys.audit);
    if (problem) process.stderr.write(`${problem}\n`);
    else process.stdout.write(`${entries} audit entries, none altered or removed.\n`);
    return problem ? 1 : 0;
  } finally {
    await installation.close();
  }
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
