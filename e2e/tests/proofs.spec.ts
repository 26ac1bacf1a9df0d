import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUp, createDatabase, openBackup } from '../databases-screen.ts';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, expectToast, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { server } from '../server.ts';

test.describe('a backup', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('is proved, and turns red with the name of the table in which one byte was flipped [DECISIONS §13]', async ({
    signedIn: page,
  }) => {
    await createDatabase(page, 'PROVEWALK');
    // So many that most of the archive is rows of this table.
    await query(
      await physicalName('PROVEWALK'),
      `insert into locations (code, name, kind)
       select left(md5(n::text), 20), md5(random()::text) || md5(random()::text), 'clinic' from generate_series(1, 20000) n`,
    );
    await backUp(page, 'PROVEWALK');
    const [{ id }] = await query('apotheca', "select id from backups where database_name = 'PROVEWALK'");
    await openBackup(page, 'PROVEWALK');
    // A failed one is soon joined by the one that the server makes in its place.
    const backup = page
      .getByRole('dialog', { name: 'Backups' })
      .getByRole('row')
      .filter({ hasText: 'PROVEWALK' })
      .last();
    const dialog = page.getByRole('dialog', { name: 'Prove Restore' });
    const prove = async () => {
      await backup.getByRole('button', { name: /^Prove the restore of the backup/ }).click();
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Prove restore' }).click();
    };
    await prove();
    await expectToast(page, /^Success! The backup of PROVEWALK can be restored: 20,\d{3} rows in /);
    await expect(dialog).toBeHidden();
    await expect(backup).toContainText(/Proved .*, restores in /);
    await expectAccessibleAtAnyWidth(page);

    const path = join(server.dataDir(), 'backups', `${id}.dump`);
    const archive = await readFile(path);
    const middle = Math.floor(archive.length * 0.6);
    archive.writeUInt8(archive.readUInt8(middle) ^ 1, middle);
    await writeFile(path, archive);
    await prove();
    await expect(dialog.getByText(/The rows of locations are damaged\.$/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(backup).toContainText(/Cannot be restored locations/);
    await expectAccessibleAtAnyWidth(page);
  });
});
