import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Select } from './select.tsx';

const OPTIONS = [
  { value: '1', label: 'Epic' },
  { value: '2', label: 'NextGen' },
];

test("the first option is empty and reads 'Please pick..' [§2.20]", () => {
  render(<Select aria-label="EMR" options={OPTIONS} />);
  const options = screen.getAllByRole<HTMLOptionElement>('option');
  expect(options.map(({ value, text }) => [value, text])).toEqual([
    ['', 'Please pick..'],
    ['1', 'Epic'],
    ['2', 'NextGen'],
  ]);
});

test('raises change with the value, the empty one too [§2.20]', async () => {
  const onChange = vi.fn();
  render(<Select aria-label="EMR" options={OPTIONS} value="1" onChange={(event) => onChange(event.target.value)} />);
  await userEvent.selectOptions(screen.getByLabelText('EMR'), 'NextGen');
  await userEvent.selectOptions(screen.getByLabelText('EMR'), '');
  expect(onChange.mock.calls).toEqual([['2'], ['']]);
});

test('another text for the empty option, size and state [§9]', () => {
  render(<Select aria-label="FAQ" options={[]} emptyLabel="Select FAQ" size="small" invalid />);
  const select = screen.getByLabelText('FAQ');
  expect(screen.getByRole('option').textContent).toBe('Select FAQ');
  expect(select.className).toBe('form-select form-select-sm is-invalid');
  expect(select.getAttribute('aria-invalid')).toBe('true');
});
