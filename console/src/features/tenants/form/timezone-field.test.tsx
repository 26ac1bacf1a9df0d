import { tenantRoutes } from '@apotheca/contract/tenants';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { factOf, field, fill, fillAndLeave, optionsOf } from '../../../testing/fields.ts';
import { keepBodies, mockServer } from '../../../testing/server.ts';
import { cedar, renderTenantModal, submit, tenantLookups } from '../../../testing/tenant-modal.tsx';
import { TimezoneField } from './timezone-field.tsx';

mockServer(...tenantLookups);

const LOS_ANGELES = '(UTC-08:00) Pacific Time (Los Angeles)';
const CHICAGO = '(UTC-06:00) Central Time (Chicago)';
const UTC = '(UTC+00:00) UTC';
const VIENNA = '(UTC+01:00) Central European Time (Vienna)';
const ZONES = [
  { id: 'America/Los_Angeles', displayName: LOS_ANGELES },
  { id: 'America/Chicago', displayName: CHICAGO },
  { id: 'UTC', displayName: UTC },
  { id: 'Europe/Vienna', displayName: VIENNA },
];
const EMPTY = 'Please pick..';

const onSubmit = vi.fn();

/** A form with nothing but the time zone and its button. */
function ZoneForm() {
  const [zone, setZone] = useState('UTC');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TimezoneField
        label="Time Zone"
        zones={ZONES}
        value={zone}
        onChange={({ target }) => setZone(target.value)}
        onChoose={setZone}
      />
      <button type="submit">Save</button>
    </form>
  );
}

function renderField() {
  onSubmit.mockClear();
  render(<ZoneForm />);
  return userEvent.setup();
}

const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find Zone' });
const hint = () => screen.getByRole('status').textContent;

test('a search field stands in one labelled group with the select, and none is called like it [§2.7]', () => {
  renderField();
  const group = within(screen.getByRole('group', { name: 'Choice of the zone' }));
  expect(group.getByRole('combobox', { name: 'Time Zone' })).toBe(field('Time Zone'));
  expect(group.getByRole('searchbox', { name: 'Find Zone' })).toBe(search());
  expect(screen.getAllByLabelText(/time zone/i)).toEqual([field('Time Zone')]);
  expect(optionsOf('Time Zone')).toEqual([EMPTY, LOS_ANGELES, CHICAGO, UTC, VIENNA]);
});

test('typing narrows the options, and the chosen one stays among them [§2.7]', async () => {
  const user = renderField();
  await user.type(search(), 'CENTRAL');
  expect(optionsOf('Time Zone')).toEqual([EMPTY, CHICAGO, UTC, VIENNA]);
  expect(hint()).toBe('2 zones match.');
  await user.type(search(), ' vië');
  expect(optionsOf('Time Zone')).toEqual([EMPTY, UTC, VIENNA]);
  await user.selectOptions(field('Time Zone'), VIENNA);
  await user.clear(search());
  expect(optionsOf('Time Zone')).toEqual([EMPTY, LOS_ANGELES, CHICAGO, UTC, VIENNA]);
  await user.type(search(), 'chicago');
  expect(optionsOf('Time Zone')).toEqual([EMPTY, CHICAGO, VIENNA]);
  expect(field('Time Zone').value).toBe('Europe/Vienna');
});

test('Enter chooses the only match, and submits nothing [§2.7]', async () => {
  const user = renderField();
  await user.type(search(), 'cst');
  expect(hint()).toBe(`Enter chooses ${CHICAGO}.`);
  expect(field('Time Zone').value).toBe('UTC');
  await user.keyboard('{Enter}');
  expect(field('Time Zone').value).toBe('America/Chicago');
  expect(hint()).toBe(`${CHICAGO} is chosen.`);
  expect(onSubmit).not.toHaveBeenCalled();
});

test.each([
  ['nothing is typed', ' ', 'By city, name, short name or offset, such as Chicago, Central, CST or UTC-06'],
  ['several match', 'central', '2 zones match.'],
  ['none matches', 'atlantis', 'No zone matches.'],
])('where %s the hint says so, and Enter neither chooses nor submits [§2.7]', async (_, typed, words) => {
  const user = renderField();
  await user.type(search(), typed);
  expect(hint()).toBe(words);
  await user.keyboard('{Enter}');
  expect(field('Time Zone').value).toBe('UTC');
  expect(onSubmit).not.toHaveBeenCalled();
});

test('what Enter has chosen is saved with the tenant [§2.7]', async () => {
  const bodies = keepBodies(tenantRoutes.edit, 'Tenant CEDARVA has been changed.');
  const { user } = await renderTenantModal('edit', cedar);
  await user.type(search(), 'cet{Enter}');
  expect(field('Time Zone').value).toBe('Europe/Vienna');
  submit('Save');
  await screen.findByText('Tenant CEDARVA has been changed.');
  expect(bodies).toEqual([expect.objectContaining({ timezoneId: 'Europe/Vienna' })]);
});

test('a zone chosen by Enter is an answer to what was missing, and what is searched for is no change [§2.7]', async () => {
  const { user, onClose } = await renderTenantModal('edit', cedar);
  fillAndLeave('Time Zone', '');
  await screen.findByText('Time Zone is required.');
  await user.type(search(), 'chicago{Enter}');
  await waitFor(() => expect(screen.queryByText('Time Zone is required.')).toBeNull());
  fill('Find Zone', 'vienna');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a view shows the zone as text, without a search field [§2.7]', async () => {
  await renderTenantModal('view', cedar);
  expect(factOf('Time Zone')).toBe('(UTC-06:00) America/Chicago');
  expect(screen.queryByRole('searchbox')).toBeNull();
});
