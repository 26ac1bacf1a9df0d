import type { BulkReport } from '@apotheca/contract/bulks';
import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { act, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderWithStore } from '../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { BULK_ACTIONS } from './bulk-actions.ts';
import { BulkModal } from './bulk-modal.tsx';

const row = { line: 1, changes: [], reasons: [] };
const REPORT: BulkReport<{ action: string; subscriptionEndDate: string }> = {
  id: 'b1',
  operationId: '00000000-0000-4000-8000-000000000009',
  asked: { action: 'extend', subscriptionEndDate: '2031-12-31' },
  startedBy: 'ada',
  startedOnUtc: '2026-03-04T09:30:00.000Z',
  state: 'succeeded',
  counts: { changed: 1, same: 0, refused: 1, waiting: 0 },
  rows: [
    { ...row, id: 't1', record: 'CEDAR', result: 'changed' },
    { ...row, id: 't2', record: 'BIRCH', result: 'refused' },
  ],
};

mockServer();

function renderReport() {
  const [action] = BULK_ACTIONS.tenants;
  if (!action) throw new Error('Nothing can be done with many tenants');
  return renderWithStore(
    <BulkModal show what="tenants" action={action} ids={[]} report={REPORT.id} onClose={vi.fn()} />,
  );
}

test('the report of one that runs goes on after it could not be loaded once, until it ends [§2.25]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  let loads = 0;
  const answer = (reply: () => ReturnType<typeof ok>) =>
    server.use(
      onRoute(tenantBulkRoutes.report, () => {
        loads += 1;
        return reply();
      }),
    );
  answer(() => ok({ ...REPORT, state: 'running' }));
  renderReport();
  await screen.findByText('Running');
  answer(() => failed(503, 'Away.'));
  await pass(2_000);
  await screen.findByText('Away.');
  answer(() => ok(REPORT));
  await pass(2_000);
  await screen.findByText('Succeeded');
  const before = loads;
  await pass(10_000);
  expect(loads).toBe(before);
});
