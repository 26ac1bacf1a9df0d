// `npm run recover -- --identity FILE`: brings a lost installation back, on a machine that has only this repository. docs/operations.md
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root } from './setup.mjs';

ensureInstalled();
const { status } = spawnSync(pinnedNode(), [join(root, 'api/src/recover.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
