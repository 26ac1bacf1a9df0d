import { momentRoutes } from '@apotheca/contract/moments';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { api } from '../../api/http/client.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { ArchiveWarning } from './archive-warning.tsx';

mockServer();

const range = (warning: string) =>
  onRoute(momentRoutes.range, () => ok({ earliestOnUtc: null, latestOnUtc: null, missing: 'Off.', warning }));

test('the dashboard warns where changes are not archived, and is silent elsewhere [DECISIONS §13]', async () => {
  server.use(range('Changes have not been archived since noon.'));
  const first = renderWithStore(<ArchiveWarning />);
  await screen.findByText('Changes have not been archived since noon.');
  first.unmount();
  server.use(range(''));
  const { container, store } = renderWithStore(<ArchiveWarning />);
  const state = () => Object.values(store.getState()[api.reducerPath]?.queries ?? {})[0]?.status;
  await waitFor(() => expect(state()).toBe('fulfilled'));
  expect(container.textContent).toBe('');
});
