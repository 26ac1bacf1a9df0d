// `npm run dev`: runs the server and restarts it on every change. Vite serves the console on port 5173 and passes calls of the API
// on.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root } from './setup.mjs';

ensureInstalled();
const node = pinnedNode();
const children = [
  spawn(node, ['--watch', '--watch-preserve-output', join(root, 'api/src/main.ts')], { cwd: root, stdio: 'inherit' }),
  spawn(node, [join(root, 'node_modules/vite/bin/vite.js')], { cwd: join(root, 'console'), stdio: 'inherit' }),
];
const stop = () => children.map((child) => child.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
