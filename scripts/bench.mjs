// `npm run bench`: needs what the tests need, a built console and Chromium. Names after `--` choose measurements.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();
const env = { ...process.env, APOTHECA_CHROMIUM: ensureChromium() };
const args = [join(root, 'bench/bench.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(pinnedNode(), args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
