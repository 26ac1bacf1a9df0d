import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { notify, ToastHost } from './toast.tsx';

/** Lets a moment pass, after which a new message replaces the old one. */
const nextMoment = () => act(() => new Promise((resolve) => setTimeout(resolve)));
const texts = () => [...document.querySelectorAll('.Toastify__toast')].map((toast) => toast.textContent);

/** The event at the end of a toast's time. jsdom has no AnimationEvent, so React listens to the old name. */
async function endTime() {
  fireEvent(screen.getByRole('progressbar', { hidden: true }), new Event('webkitAnimationEnd', { bubbles: true }));
  await nextMoment();
}

beforeEach(async () => {
  render(<ToastHost />);
  await nextMoment();
});

test('a success is a status, an error an alert [§8]', async () => {
  notify.success('Login Successful.');
  expect((await screen.findByRole('status')).textContent).toBe('Login Successful.');
  await nextMoment();
  notify.error('something went wrong');
  expect((await screen.findByRole('alert')).textContent).toBe('something went wrong');
});

test('closes by itself after 1500 ms, at the top right [§9]', async () => {
  notify.warning('Not yet functional');
  await screen.findByText('Not yet functional');
  expect(document.querySelector('.Toastify__toast-container--top-right')).not.toBeNull();
  expect(screen.getByRole('progressbar', { hidden: true }).style.animationDuration).toBe('1500ms');
  await endTime();
  expect(texts()).toEqual([]);
});

test('a toast with a detail shows it below its text, for ten seconds [§9]', async () => {
  notify.successWithDetail('Done.', 'It stays so.');
  expect((await screen.findByRole('status')).textContent).toBe('Done.It stays so.');
  expect(screen.getByRole('progressbar', { hidden: true }).style.animationDuration).toBe('10000ms');
});

test('a new toast replaces the current one [§9]', async () => {
  notify.success('First');
  await screen.findByText('First');
  await nextMoment();
  notify.success('Second');
  await screen.findByText('Second');
  await waitFor(() => expect(texts()).toEqual(['Second']));
});

test('the messages of one answer are shown one after another [§8]', async () => {
  notify.error('phone: Required');
  notify.error('email: Required');
  await screen.findByText('phone: Required');
  await nextMoment();
  expect(texts()).toEqual(['phone: Required']);
  await endTime();
  expect(texts()).toEqual(['email: Required']);
});

test('a new message drops those that are still waiting [§9]', async () => {
  notify.error('phone: Required');
  notify.error('email: Required');
  await nextMoment();
  notify.success('Saved');
  await waitFor(() => expect(texts()).toEqual(['Saved']));
  await endTime();
  expect(texts()).toEqual([]);
});

test('can be closed by its button [§9]', async () => {
  notify.success('Saved');
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(texts()).toEqual([]));
});

test('injects no style into the page [§9]', async () => {
  notify.success('Saved');
  await screen.findByText('Saved');
  expect(document.querySelector('style')).toBeNull();
});

test('a toast can have two buttons, in their order; one that is not offered leaves none [§9]', async () => {
  const chosen: string[] = [];
  const action = (label: string) => ({ label, onSelect: () => chosen.push(label) });
  notify.success('Done.', undefined);
  expect((await screen.findByRole('status')).textContent).toBe('Done.');
  await nextMoment();
  notify.success('Done again.', action('Undo'), action('Open'));
  await waitFor(() => expect(texts()).toEqual(['Done again.UndoOpen']));
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(chosen).toEqual(['Open']);
  await waitFor(() => expect(texts()).toEqual([]));
});

test('a toast with a button stays for ten seconds, and its button acts and closes it [§9]', async () => {
  const chosen: string[] = [];
  notify.success('Done.', { label: 'Undo', onSelect: () => chosen.push('undo') });
  const button = await screen.findByRole('button', { name: 'Undo' });
  expect(screen.getByRole('progressbar', { hidden: true }).style.animationDuration).toBe('10000ms');
  expect(screen.getByRole('status').textContent).toBe('Done.Undo');
  await userEvent.keyboard('{Alt>}t{/Alt}');
  expect(document.activeElement?.classList.contains('Toastify__toast')).toBe(true);
  await userEvent.tab();
  expect(document.activeElement).toBe(button);
  await waitFor(() =>
    expect(screen.getByRole('progressbar', { hidden: true }).style.animationPlayState).toBe('paused'),
  );
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual(['undo']);
  await waitFor(() => expect(texts()).toEqual([]));
});
