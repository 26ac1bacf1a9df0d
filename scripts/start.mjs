// `npm start`: installs and builds what is missing, then runs the server until Ctrl-C.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, pinnedNode, refuseTakenPort, root, SERVER, SERVER_FLAGS } from './setup.mjs';

// If npm is killed, this process may get no signal, and nobody would stop the server. So it watches its parent, from the first moment on, as to
// install and to build take long; but only under npm: without npm, the server may outlive the process that started it.
const PARENT_CHECK_MS = 500;
const parent = process.ppid;
const isLeft = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent;

await refuseTakenPort(process.env.PORT || 3000, process.env.HOST || '127.0.0.1');
ensureInstalled();
ensureBuilt();
if (isLeft()) process.exit(1);

// Caches what V8 has compiled, so that later starts need less time and memory. glibc would keep an arena of freed memory for
// each thread: one for all saves some 8 MB (mallopt(3)).
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1', ...process.env };
const server = spawn(pinnedNode(), [...SERVER_FLAGS, join(root, SERVER)], { cwd: root, env, stdio: 'inherit' });
// What a terminal sends, at Ctrl-C or its end, also reaches the server directly; a signal to this process does not. The server counts
// both as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));

setInterval(() => {
  if (isLeft()) server.kill('SIGTERM');
}, PARENT_CHECK_MS).unref();
