import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TextField } from '../components/field/text-field.tsx';
import { useZodForm } from '../components/form/form.tsx';
import { changedByBob } from '../testing/stale.ts';
import { useStaleEdit } from './use-stale-edit.tsx';

const schema = z.object({
  city: z.string(),
  zip: z.string(),
  roleId: z.string(),
  password: z.string(),
  identifier: z.string(),
});
const began = { city: 'Bend', zip: '97701', roleId: 'r1', password: '', identifier: 'bend' };
const ROLES: Record<string, string> = { r1: 'Viewer', r2: 'Operator' };

const stale = (version: number, ...changes: ReturnType<typeof changedByBob>[]) => ({
  status: 409,
  message: 'bob changed this meanwhile.',
  result: { version, changes },
});

/** A form whose Save is refused with the given errors, one after the other. */
function Form({ errors, version = 1 }: { errors: unknown[]; version?: number }) {
  const form = useZodForm(schema, { defaultValues: began });
  const edit = useStaleEdit({
    form,
    version,
    labelOf: (field) => field.toUpperCase(),
    wordsOf: (field, value) => (field === 'roleId' ? ROLES[String(value)] : undefined),
    followers: { city: 'zip', roleId: 'identifier', identifier: 'roleId' },
  });
  const handleSave = () => {
    document.title = String(edit.mergeTheirs(errors.shift()));
  };
  return (
    <form onSubmit={form.handleSubmit(handleSave)}>
      {edit.notice}
      <TextField label="City" {...form.register('city')} />
      <TextField label="Zip" {...form.register('zip')} />
      <TextField label="Role" {...form.register('roleId')} />
      <TextField label="Password" {...form.register('password')} />
      <button type="submit">Save</button>
      <output>{edit.version}</output>
      <button type="button" onClick={() => form.setValue('identifier', 'mine', { shouldDirty: true })}>
        Name it
      </button>
      <data value={String(form.formState.isDirty)} data-testid="dirty" />
      <data value={form.watch('identifier')} data-testid="identifier" />
      <data value={JSON.stringify(edit.theirs)} data-testid="theirs" />
    </form>
  );
}

/** Saves, and waits until React has drawn what came of it: the form is checked after the click. */
const save = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save' })));
const shownIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const sentVersion = () => screen.getByRole('status').textContent;
const changes = () => screen.getAllByRole('listitem').map((item) => item.querySelector('span')?.textContent);

async function type(label: string, text: string) {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
}

test('without a refusal the version is that of the record, and there is no notice [DECISIONS §3]', () => {
  render(<Form errors={[]} version={7} />);
  expect(sentVersion()).toBe('7');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('once a newer record is here, the notice ends, and the next save bases on that [DECISIONS §3]', async () => {
  const errors = [stale(2, changedByBob('city', 'Bend', 'Salem'))];
  const { rerender } = render(<Form errors={errors} />);
  await save();
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(sentVersion()).toBe('2');
  rerender(<Form errors={errors} version={3} />);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sentVersion()).toBe('3');
});

test.each([
  ['no answer', { status: 'FETCH_ERROR', message: 'Away.' }],
  ['another conflict', { status: 409, message: 'Taken.' }],
  ['another plan', { status: 409, message: 'Changed.', result: { digest: 'x' } }],
  ['another status', { ...stale(2), status: 400 }],
  ['no error at all', undefined],
])('%s is not merged [DECISIONS §3]', async (_what, error) => {
  render(<Form errors={[error]} />);
  await save();
  expect(document.title).toBe('false');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sentVersion()).toBe('1');
});

test('typed values stay, untouched fields take the newer values, and the newer version is sent [DECISIONS §3]', async () => {
  const error = stale(4, changedByBob('city', 'Bend', 'Salem'), changedByBob('roleId', 'r1', 'r2'));
  render(<Form errors={[error]} />);
  await type('City', 'Eugene');
  await save();
  expect(document.title).toBe('true');
  expect([shownIn('City'), shownIn('Role')]).toEqual(['Eugene', 'r2']);
  expect(sentVersion()).toBe('4');
  expect(screen.getByRole('alert').textContent).toContain('Changed meanwhile: nothing is saved yet');
  expect(changes()).toEqual(['CITY: Bend → Salem, by bob', 'ROLEID: Viewer → Operator, by bob']);
  expect(screen.getAllByRole('button', { name: /^Take theirs/ })).toHaveLength(1);
});

test('a field that belongs to a typed field keeps its value too [DECISIONS §3]', async () => {
  const error = stale(4, changedByBob('city', 'Bend', 'Salem'), changedByBob('zip', '97701', '97301'));
  render(<Form errors={[error]} />);
  await type('City', 'Eugene');
  await save();
  expect([shownIn('City'), shownIn('Zip')]).toEqual(['Eugene', '97701']);
});

test("the other user's pair is taken together, even where they changed only one of the two [DECISIONS §3]", async () => {
  render(<Form errors={[stale(4, changedByBob('roleId', 'r1', 'r2'))]} />);
  await type('Role', 'r3');
  await userEvent.click(screen.getByRole('button', { name: 'Name it' }));
  expect(screen.getByTestId<HTMLDataElement>('identifier').value).toBe('mine');
  await save();
  expect([shownIn('Role'), screen.getByTestId<HTMLDataElement>('identifier').value]).toEqual(['r3', 'mine']);
  await userEvent.click(screen.getByRole('button', { name: 'Take theirs for ROLEID' }));
  expect([shownIn('Role'), screen.getByTestId<HTMLDataElement>('identifier').value]).toEqual(['r2', 'bend']);
  expect(screen.queryByRole('button', { name: /^Take theirs/ })).toBeNull();
  expect(screen.getByTestId<HTMLDataElement>('dirty').value).toBe('false');
});

test('a field without an input takes the newer value too [DECISIONS §3]', async () => {
  render(<Form errors={[stale(4, changedByBob('identifier', 'bend', 'salem'))]} />);
  await type('City', 'Eugene');
  await save();
  expect(screen.getByTestId<HTMLDataElement>('identifier').value).toBe('salem');
});

test("the other user's value is taken on request, together with the field that belongs to it [DECISIONS §3]", async () => {
  const error = stale(4, changedByBob('city', 'Bend', 'Salem'), changedByBob('zip', '97701', '97301'));
  render(<Form errors={[error]} />);
  await type('City', 'Eugene');
  await type('Zip', '1');
  await save();
  await userEvent.click(screen.getByRole('button', { name: 'Take theirs for CITY' }));
  expect([shownIn('City'), shownIn('Zip')]).toEqual(['Salem', '97301']);
  expect(screen.queryByRole('button', { name: /^Take theirs/ })).toBeNull();
});

test('values are shown in words, missing ones as empty, and secret ones not at all [DECISIONS §12]', async () => {
  const error = stale(
    2,
    changedByBob('roleId', 'r1', 'r2'),
    changedByBob('city', null, 'Salem'),
    changedByBob('zip', '97701', ''),
    changedByBob('count', 1, 2),
    changedByBob('password', undefined, undefined),
  );
  render(<Form errors={[error]} />);
  await save();
  expect(changes()).toEqual([
    'ROLEID: Viewer → Operator, by bob',
    'CITY: (empty) → Salem, by bob',
    'ZIP: 97701 → (empty), by bob',
    'COUNT: 1 → 2, by bob',
    'PASSWORD: changed, by bob',
  ]);
  expect([shownIn('Role'), shownIn('Password')]).toEqual(['r2', '']);
  // It can be saved: no value has become undefined.
  await save();
  expect(document.title).toBe('false');
});

test('a typed password stays when another user has set one [DECISIONS §3]', async () => {
  render(<Form errors={[stale(2, changedByBob('password', undefined, undefined))]} />);
  await type('Password', 'correct horse');
  await save();
  expect(shownIn('Password')).toBe('correct horse');
});

test('overtaken a second time, it shows the newest changes and sends the newest version [DECISIONS §3]', async () => {
  const errors = [stale(2, changedByBob('city', 'Bend', 'Salem')), stale(3, changedByBob('roleId', 'r1', 'r2'))];
  render(<Form errors={errors} />);
  await type('City', 'Eugene');
  await save();
  await save();
  expect(changes()).toEqual(['ROLEID: Viewer → Operator, by bob']);
  expect([shownIn('City'), shownIn('Role'), sentVersion()]).toEqual(['Eugene', 'r2', '3']);
  expect(JSON.parse(screen.getByTestId<HTMLDataElement>('theirs').value)).toEqual({ city: 'Salem', roleId: 'r2' });
});
