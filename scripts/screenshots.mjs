// `npm run screenshots`: pictures of every screen into `screenshots/`, and those of the guide. Words after `--` choose: `screens`, `guide`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();
const env = { ...process.env, APOTHECA_CHROMIUM: ensureChromium(), NODE_NO_WARNINGS: '1' };
const chosen = process.argv.slice(2).map((word) => `screenshots/${word}.spec.ts`);
const config = ['--config', 'e2e/screenshots.config.ts'];
const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', ...config, ...chosen];
const { status } = spawnSync(pinnedNode(), args, { cwd: root, env, stdio: 'inherit' });
if (status === 0) console.log(`The pictures are in ${join(root, 'screenshots')}: open index.html there.`);
process.exit(status ?? 1);
