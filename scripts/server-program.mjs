// `npm run recover`, `admin`, `audit:verify` and `pgbouncer`: runs that program of the server, on a machine that may have only this
// repository. docs/operations.md
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root } from './setup.mjs';

const [name, ...args] = process.argv.slice(2);
ensureInstalled();
const program = spawn(pinnedNode(), [join(root, `api/src/${name}.ts`), ...args], { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
program.on('exit', (code) => process.exit(code ?? 1));
