import type { Locator, Page } from '@playwright/test';
import { query } from './postgres.ts';

/** Opens the schedules of all databases with one of the tabs. */
export async function openSchedules(page: Page, tab: 'Databases' | 'Default'): Promise<Locator> {
  await page.getByRole('button', { name: 'Backup Schedules' }).click();
  const modal = page.getByRole('dialog', { name: 'Backup Schedules' });
  await modal.getByRole('tab', { name: tab }).click();
  return modal;
}

/** An hour that is half a day away in UTC, so that no backup is due while a test runs. */
export const distantHour = (): string => `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`;

/** Makes the newest backup of a database with a schedule of its own too old, as if starting one had failed for a week. */
export async function makeLate(databaseName: string): Promise<void> {
  const change = `
    update backup_schedule_runs set due_at = now() - interval '7 days', retry_at = now() + interval '1 hour', failures = 9,
      last_result = 'failed', last_message = 'There is no space left on the disk.', last_ended_at = now(), is_late = true
    where database_id = (select id from databases where name = $1)`;
  await query('apotheca', change, [databaseName]);
}

/** Lets a database follow the default again. */
export async function endSchedule(databaseName: string): Promise<void> {
  const ofDatabase = 'database_id = (select id from databases where name = $1)';
  await query('apotheca', `update backup_schedules set frequency = 'default' where ${ofDatabase}`, [databaseName]);
  await query('apotheca', `delete from backup_schedule_runs where ${ofDatabase}`, [databaseName]);
}
