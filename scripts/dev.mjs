// `npm run dev`: the server restarted on every change, and the console from Vite on port 5173 with the API proxied to it.
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
