import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { databaseRoutes } from '@apotheca/contract/databases';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeDatabase } from '../../../testing/databases.ts';
import { fill } from '../../../testing/fields.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { DatabasesTable } from '../screen/databases-table.tsx';
import { CloneAnonymizedModal } from './clone-anonymized-modal.tsx';

const cedar = makeDatabase({ databaseName: 'CEDAR' });

mockServer(onRoute(databaseRoutes.list, () => ok([cedar])));

/** Above the list, as on the page: the list's names are in use. */
async function renderModal() {
  const onClose = vi.fn();
  renderWithStore(
    <>
      <DatabasesTable tenantLink={(code) => `/tenants/${code}`} onOpen={() => {}} />
      <CloneAnonymizedModal show database={cedar} onClose={onClose} />
    </>,
  );
  await screen.findByText('Displaying 1 of 1 results');
  return onClose;
}
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Clone CEDAR anonymized' }));

test('the dialog says what is replaced and what is left out [DECISIONS §13]', async () => {
  await renderModal();
  screen.getByRole('dialog', { name: 'Clone Database Anonymized' });
  screen.getByText(/^CEDAR is copied under the new name, and what identifies people is replaced/);
  screen.getByText(/^Only the tables of the platform are copied/);
  screen.getByText(/^Sessions that use CEDAR are ended/);
});

test('the name is sent in upper case, and the dialog closes [DECISIONS §13]', async () => {
  const sent: unknown[] = [];
  server.use(
    onRoute(anonymizedCloneRoutes.cloneAnonymized, ({ request }) => {
      sent.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({}, 'Success! Database STAGING has been created.');
    }),
  );
  const onClose = await renderModal();
  fill('Duplicate Database Name', 'staging');
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toEqual([{ copyFrom: 'CEDAR', databaseName: 'STAGING' }]);
  await screen.findByText('Success! Database STAGING has been created.');
});

test('a refusal is shown in the dialog [DECISIONS §13]', async () => {
  const refusal = 'CEDAR is being backed up (started by ada). Please try again when that has ended.';
  server.use(onRoute(anonymizedCloneRoutes.cloneAnonymized, () => failed(409, refusal)));
  const onClose = await renderModal();
  fill('Duplicate Database Name', 'staging');
  submit();
  expect((await screen.findByRole('alert')).textContent).toContain(refusal);
  expect(onClose).not.toHaveBeenCalled();
});
