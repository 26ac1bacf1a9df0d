import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { signedOut } from '../../session/session-slice.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { RecoverPasswordPage } from './recover-password-page.tsx';
import { RegisterPage } from './register-page.tsx';

const open = (page: ReactNode) => renderWithStore(page, { preloadedState: { session: signedOut } });
const NOT_YET = 'Not yet functional';

describe('forgot password', () => {
  const email = () => screen.getByRole('textbox', { name: 'Email' });
  const submit = () => screen.getByRole('button', { name: 'Request New Password' });

  test('shows its texts and the way back [§2.4]', () => {
    open(<ForgotPasswordPage />);
    expect(screen.getByRole('heading').textContent).toBe(
      'You forgot your password? Here you can easily retrieve a new password.',
    );
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login');
    expect(email().getAttribute('autocomplete')).toBe('email');
  });

  test('requires an address, once the field was touched [§5]', async () => {
    const { user } = open(<ForgotPasswordPage />);
    expect(screen.queryByText('Required')).toBeNull();
    await user.click(submit());
    await screen.findByText('Required');
    expect(screen.queryByText(NOT_YET)).toBeNull();
  });

  test.each(['ada', 'ada@', '@b.test', 'a b@c.test', 'ada@nowhere'])('refuses %j [§5]', async (text) => {
    const { user } = open(<ForgotPasswordPage />);
    await user.type(email(), text);
    await user.click(submit());
    await screen.findByText('Invalid email address');
    expect(screen.queryByText(NOT_YET)).toBeNull();
  });

  test('answers a valid address with a warning [§2.4, §8]', async () => {
    const { user } = open(<ForgotPasswordPage />);
    await user.type(email(), 'ada@apotheca.test{Enter}');
    await screen.findByText(NOT_YET);
  });
});

describe('recover password', () => {
  const password = () => screen.getByLabelText('Password');
  const confirm = () => screen.getByLabelText('Confirm password');

  test('shows its texts and the way back [§2.4]', () => {
    open(<RecoverPasswordPage />);
    expect(screen.getByRole('heading').textContent).toMatch(/^You are only one step away from your new password/);
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login');
    expect([password(), confirm()].map((field) => field.getAttribute('autocomplete'))).toEqual(
      Array(2).fill('new-password'),
    );
  });

  test.each([
    ['', 'Required'],
    ['1234', 'Must be 5 characters or more'],
    ['x'.repeat(31), 'Must be 30 characters or less'],
  ])('refuses %j in both fields [§5]', async (text, message) => {
    const { user } = open(<RecoverPasswordPage />);
    for (const field of [password(), confirm()]) {
      await user.click(field);
      if (text) await user.paste(text);
    }
    await user.click(screen.getByRole('button', { name: 'Change Password' }));
    await waitFor(() => expect(screen.getAllByText(message)).toHaveLength(2));
    expect(screen.queryByText(NOT_YET)).toBeNull();
  });

  test('does not compare the two passwords, and answers with a warning [§2.4, §5]', async () => {
    const { user } = open(<RecoverPasswordPage />);
    await user.type(password(), 'engine');
    await user.type(confirm(), 'another{Enter}');
    await screen.findByText(NOT_YET);
  });
});

describe('register', () => {
  test('shows its form and answers with a warning [§2.1]', async () => {
    const { user } = open(<RegisterPage />);
    expect(screen.getByRole('heading', { name: 'Register a new membership' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'I already have a membership' }).getAttribute('href')).toBe('/login');
    expect(screen.getByRole('checkbox', { name: 'I agree to the terms' })).toBeDefined();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@apotheca.test');
    await user.type(screen.getByLabelText('Password'), 'engine');
    await user.type(screen.getByLabelText('Retype password'), 'engine');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await screen.findByText(NOT_YET);
  });

  test('requires all its fields [§5]', async () => {
    const { user } = open(<RegisterPage />);
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(() => expect(screen.getAllByText('Required')).toHaveLength(3));
    expect(screen.queryByText(NOT_YET)).toBeNull();
  });
});
