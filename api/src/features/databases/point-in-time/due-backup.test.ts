import { expect, it } from 'vitest';
import type { ClusterBackup } from '../../../db/embedded/pgbackrest.ts';
import { dueBackup, isPausing, made, unbroken } from './cluster-backups.ts';

const NOW = new Date('2026-03-31T12:00:00Z');
const HOUR = 3_600_000;
const backup = (hoursAgo: number, isFull: boolean): ClusterBackup => {
  const at = new Date(NOW.getTime() - hoursAgo * HOUR);
  return { label: `${hoursAgo}`, isFull, startedAt: at, endedAt: at };
};

it.each([
  ['none yet', [], 'full'],
  ['a full one of today', [backup(23, true)], undefined],
  ['a full one of yesterday', [backup(24, true)], 'diff'],
  ['one of today after a full one of this week', [backup(100, true), backup(23, false)], undefined],
  ['one of yesterday after a full one of this week', [backup(100, true), backup(25, false)], 'diff'],
  ['a full one that is a week old', [backup(168, true), backup(1, false)], 'full'],
  ['only the rest of a full one that is gone', [backup(1, false)], 'full'],
] as const)('backups of the cluster: %s [DECISIONS §13]', (_, backups, expected) => {
  expect(dueBackup(backups, NOW)).toBe(expected);
});

it('backups from before a time without archiving do not count [DECISIONS §13]', () => {
  const [old, newer] = [backup(50, true), backup(10, true)];
  expect(unbroken([old, newer], newer.startedAt)).toEqual([newer]);
  expect(unbroken([old, newer], null)).toEqual([]);
});

it('backups of a clock that was a year ahead do not count, nor does a failure that it noted [DECISIONS §13]', () => {
  const [right, ahead] = [backup(24, true), backup(-8_760, true)];
  expect(dueBackup(made([ahead], NOW), NOW)).toBe('full');
  expect(dueBackup(made([right, ahead], NOW), NOW)).toBe('diff');
  const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  expect([null, minutesAgo(9), minutesAgo(10), ahead.startedAt].map((at) => isPausing(at, NOW))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
