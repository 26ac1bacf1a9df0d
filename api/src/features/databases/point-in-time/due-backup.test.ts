import { expect, it } from 'vitest';
import type { ClusterBackup } from '../../../db/embedded/pgbackrest.ts';
import { dueBackup, unbroken } from './cluster-backups.ts';

const NOW = new Date('2026-03-31T12:00:00Z');
const HOUR = 3_600_000;
const made = (hoursAgo: number, isFull: boolean): ClusterBackup => {
  const at = new Date(NOW.getTime() - hoursAgo * HOUR);
  return { label: `${hoursAgo}`, isFull, startedAt: at, endedAt: at };
};

it.each([
  ['none yet', [], 'full'],
  ['a full one of today', [made(23, true)], undefined],
  ['a full one of yesterday', [made(24, true)], 'diff'],
  ['one of today after a full one of this week', [made(100, true), made(23, false)], undefined],
  ['one of yesterday after a full one of this week', [made(100, true), made(25, false)], 'diff'],
  ['a full one that is a week old', [made(168, true), made(1, false)], 'full'],
  ['only the rest of a full one that is gone', [made(1, false)], 'full'],
] as const)('backups of the cluster: %s [DECISIONS §13]', (_, backups, expected) => {
  expect(dueBackup(backups, NOW)).toBe(expected);
});

it('backups from before a time without archiving do not count [DECISIONS §13]', () => {
  const [old, newer] = [made(50, true), made(10, true)];
  expect(unbroken([old, newer], newer.startedAt)).toEqual([newer]);
  expect(unbroken([old, newer], null)).toEqual([]);
});
