// `npm start`: installs and builds what is missing, then runs the server until Ctrl-C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, pinnedNode, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();

// Keeps what Node makes of the TypeScript sources, which saves a second start time and memory.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env };
// A list's answer is one large text, short-lived and never in the young generation: a small one saves some 60 MB.
const flags = ['--max-semi-space-size=4'];
const server = spawn(pinnedNode(), [...flags, join(root, 'api/src/main.ts')], { cwd: root, env, stdio: 'inherit' });
// A terminal's Ctrl-C reaches the server by itself, a signal to this process alone does not; the server takes both as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
server.on('exit', (code) => process.exit(code ?? 1));

// npm started from a shell of its own may be ended without its word reaching this process: then nobody would be left to stop
// the server. Run without npm, the server may well outlive what started it.
const PARENT_CHECK_MS = 500;
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) server.kill('SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
