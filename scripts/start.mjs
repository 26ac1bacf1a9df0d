// `npm start`: installs and builds what is missing, then runs the server until Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, fail, pinnedNode, root, SERVER, SERVER_FLAGS } from './setup.mjs';

await refuseTakenPort();
ensureInstalled();
ensureBuilt();

// Caches what V8 has compiled, so that later starts need less time and memory. glibc would keep an arena of freed memory for
// each thread: one for all saves some 8 MB (mallopt(3)).
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1', ...process.env };
const server = spawn(pinnedNode(), [...SERVER_FLAGS, join(root, SERVER)], { cwd: root, env, stdio: 'inherit' });
// What a terminal sends, at Ctrl-C or its end, also reaches the server directly; a signal to this process does not. The server counts
// both as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));

// If npm is killed, this process may get no signal, and nobody would stop the server. So it watches its parent, but only under npm:
// without npm, the server may outlive the process that started it.
const PARENT_CHECK_MS = 500;
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) server.kill('SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

/** The server would find that out itself, but only after what a running one needs was replaced below it. */
async function refuseTakenPort() {
  const port = process.env.PORT || 3000;
  const host = process.env.HOST || '127.0.0.1';
  const probe = createServer();
  try {
    await once(probe.listen(Number(port), host), 'listening');
    await once(probe.close(), 'close');
  } catch (error) {
    // What else is wrong with them is the server's to say.
    if (error.code === 'EADDRINUSE') fail(`Port ${port} on ${host} is taken: stop what uses it, or set PORT.`);
  }
}
