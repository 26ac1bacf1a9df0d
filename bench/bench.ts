// `npm run bench`: Apotheca's figures beside the floor's, taken in turn in one run. Ratios are what counts: machines differ.

import { makeInstallation } from './installation.ts';
import { benchTenantCreation } from './tenant-creation.ts';
import { benchTenantList } from './tenant-list.ts';
import { benchTenantTable } from './tenant-table.ts';
import { benchWarmStart } from './warm-start.ts';

const installation = await makeInstallation();
try {
  const print = (lines: string[]) => console.log(lines.join('\n'));
  print(await benchTenantList(installation, 1_000));
  print(await benchTenantList(installation, 10_000));
  print(await benchTenantCreation(installation));
  print(await benchTenantTable(installation));
  print(await benchWarmStart());
} finally {
  await installation.remove();
}
