import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Button } from '../button/button.tsx';
import { TextField } from '../field/text-field.tsx';
import { applyServerErrors, fieldError, useZodForm, type ZodForm } from './form.tsx';

const checked = vi.fn(() => true);
const schema = z.object({
  city: z.string().min(1, 'City is required').refine(checked),
  zip: z.string().min(1, 'Zip is required').transform(Number),
  hidden: z.string(),
});

type CityForm = ZodForm<z.input<typeof schema>, z.output<typeof schema>>;

interface FormProps {
  onValid?: (values: z.output<typeof schema>, form: CityForm) => void;
  serverErrors?: Record<string, string[]>;
}

function Form({ onValid, serverErrors = {} }: FormProps) {
  const form = useZodForm(schema, { defaultValues: { city: '', zip: '', hidden: 'x' } });
  const [rest, setRest] = useState<Record<string, string[]>>();
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => onValid?.(values, form))}>
      <TextField label="City" error={fieldError(form, 'city')} {...form.register('city')} />
      <TextField label="Zip" error={fieldError(form, 'zip')} {...form.register('zip', { deps: 'city' })} />
      <Button type="submit">Save</Button>
      <Button onClick={() => setRest(applyServerErrors(form, serverErrors))}>Fail</Button>
      <output>{JSON.stringify(rest)}</output>
    </form>
  );
}

test('errors show only for fields that have been touched [§5]', async () => {
  render(<Form />);
  await userEvent.click(screen.getByLabelText('City'));
  expect(screen.queryByText('City is required')).toBeNull();
  await userEvent.tab();
  expect(await screen.findByText('City is required')).toBeTruthy();
  expect(screen.queryByText('Zip is required')).toBeNull();
});

test('a submit shows every error, focuses the first and calls nothing [§5]', async () => {
  const onValid = vi.fn();
  render(<Form onValid={onValid} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('City is required')).toBeTruthy();
  expect(screen.getByText('Zip is required')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
  expect(onValid).not.toHaveBeenCalled();
});

test("a valid submit passes on the schema's output [§5]", async () => {
  const onValid = vi.fn();
  render(<Form onValid={onValid} />);
  await userEvent.type(screen.getByLabelText('City'), 'Bend');
  await userEvent.type(screen.getByLabelText('Zip'), '97701');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onValid).toHaveBeenCalledExactlyOnceWith({ city: 'Bend', zip: 97701, hidden: 'x' }, expect.anything());
});

test("each of the server's messages about a field has a line of its own [§8]", async () => {
  render(<Form serverErrors={{ zip: ['Zip is unknown', 'Try again'] }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Fail' }));
  const lines = [await screen.findByText('Zip is unknown'), screen.getByText('Try again')];
  expect(lines.map(({ tagName }) => tagName)).toEqual(['DIV', 'DIV']);
});

test("the server's messages appear at their fields, the first gets the focus, the others are returned [§8]", async () => {
  render(<Form serverErrors={{ other: ['Odd'], hidden: ['Unseen'], zip: ['Zip is unknown', 'Try again'] }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Fail' }));
  expect(await screen.findByText('Zip is unknown')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Zip'));
  expect(screen.getByRole('status').textContent).toBe('{"other":["Odd"],"hidden":["Unseen"]}');
});

test("a server's message disappears when its field is changed [§8]", async () => {
  render(<Form serverErrors={{ city: ['City is unknown'] }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Fail' }));
  await screen.findByText('City is unknown');
  await userEvent.type(screen.getByLabelText('City'), 'B');
  await waitFor(() => expect(screen.queryByText('City is unknown')).toBeNull());
});

test("a server's message stays after its field is left, until the next submit [§8]", async () => {
  const refuse = vi.fn((form: CityForm) => void applyServerErrors(form, { city: ['City is unknown'] }));
  render(<Form onValid={(_, form) => refuse(form)} />);
  await userEvent.type(screen.getByLabelText('City'), 'Bend');
  await userEvent.type(screen.getByLabelText('Zip'), '97701');
  checked.mockClear();
  await userEvent.keyboard('{Enter}');
  await screen.findByText('City is unknown');
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
  await waitFor(() => expect(checked.mock.calls.length).toBeGreaterThan(1));
  await act(async () => {});
  screen.getByText('City is unknown');
  refuse.mockImplementation(() => {});
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('City is unknown')).toBeNull());
  expect(refuse).toHaveBeenCalledTimes(2);
});
