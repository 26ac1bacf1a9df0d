import { render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { CheckboxField } from './checkbox-field.tsx';
import { PasswordField } from './password-field.tsx';
import { SelectField } from './select-field.tsx';
import { TextAreaField } from './text-area-field.tsx';
import { TextField } from './text-field.tsx';

const MESSAGES = { label: 'City', error: 'City is required', hint: 'Where they are', required: true } as const;

const FIELDS: [string, ReactElement][] = [
  ['TextField', <TextField key="text" {...MESSAGES} />],
  ['TextAreaField', <TextAreaField key="area" {...MESSAGES} />],
  ['PasswordField', <PasswordField key="password" {...MESSAGES} />],
  ['SelectField', <SelectField key="select" {...MESSAGES} options={[]} />],
  ['CheckboxField', <CheckboxField key="checkbox" {...MESSAGES} />],
];

test.each(FIELDS)('%s is linked to its label, its error and its hint [§5]', (_, field) => {
  render(field);
  const control = screen.getByLabelText('City');
  const described = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'City is required',
    'Where they are',
  ]);
  expect(control.getAttribute('aria-invalid')).toBe('true');
  expect(control.getAttribute('aria-required')).toBe('true');
});

test('a field without messages refers to none [§5]', () => {
  render(<TextField label="City" />);
  const control = screen.getByLabelText('City');
  expect(control.hasAttribute('aria-invalid')).toBe(false);
  expect(control.hasAttribute('aria-describedby')).toBe(false);
});

test('a required field shows an asterisk that is not part of its name [§2.19]', () => {
  render(<TextField label="FAQ Name" required />);
  expect(screen.getByText('*')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'FAQ Name' })).toBeTruthy();
});
