import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Button } from '../button/button.tsx';
import { Modal } from './modal.tsx';
import { leaveBy } from './use-unsaved-guard.ts';

// The backdrop ignores clicks shortly after the dialog was opened, so the test has a fake clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

interface HostProps {
  dirty?: boolean;
  busy?: boolean;
  onClose?: () => void;
}

/** A page with a button that opens the dialog. */
function Host({ dirty, busy, onClose }: HostProps) {
  const [show, setShow] = useState(false);
  function close() {
    setShow(false);
    onClose?.();
  }
  return (
    <>
      <Button onClick={() => setShow(true)}>Open</Button>
      <Modal
        show={show}
        title="Create Tenant"
        subtitle="With a database"
        bodyHeight="73vh"
        dirty={dirty}
        busy={busy}
        onClose={close}
        footer={<Button onClick={close}>Cancel</Button>}
      >
        <input aria-label="City" />
      </Modal>
    </>
  );
}

async function open(props: HostProps = {}) {
  const user = userEvent.setup();
  const { rerender } = render(<Host {...props} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  return {
    user,
    rerender: (changed: HostProps) => rerender(<Host {...changed} />),
    dialog: screen.getAllByRole('dialog', { name: 'Create Tenant' })[0],
  };
}

/** The box around the dialog's own, which a click next to the dialog hits. */
const backdrop = () => screen.getAllByRole('dialog')[0] ?? document.body;

const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('is a dialog named by its title, and the body has a class while it is open [§4]', async () => {
  const { user, dialog } = await open();
  expect(dialog?.getAttribute('aria-modal')).toBe('true');
  expect(document.body.classList.contains('modal-open')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  expect(document.body.classList.contains('modal-open')).toBe(false);
});

test('takes the focus and gives it back to the element that opened it [§2.7]', async () => {
  const { user, dialog } = await open();
  expect(dialog?.contains(document.activeElement)).toBe(true);
  await user.keyboard('{Escape}');
  await isClosed();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
});

test('the body has the given height [§2.7]', async () => {
  await open();
  const main = screen.getByLabelText('City').closest<HTMLElement>('.modal-main');
  expect(main?.style.getPropertyValue('--modal-body-height')).toBe('73vh');
});

test('the cross closes an untouched dialog at once [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ onClose });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  [
    'the cross',
    (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button', { name: 'Close' })),
  ],
  [
    'the backdrop',
    async (user: ReturnType<typeof userEvent.setup>) => {
      vi.advanceTimersByTime(400);
      await user.click(backdrop());
    },
  ],
])('%s asks before typed text is lost [§2.7]', async (_, close) => {
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, onClose });
  await user.click(screen.getByLabelText('City'));
  await close(user);
  expect(screen.getByRole('alert').textContent).toContain('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('Keep editing returns to the field, and the dialog stays open [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, onClose });
  await user.click(screen.getByLabelText('City'));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
  expect(onClose).not.toHaveBeenCalled();
});

test('while busy it neither asks nor closes, and nothing in it can be changed [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, busy: true, onClose });
  await user.keyboard('{Escape}');
  const cross = screen.getByRole('button', { name: 'Close' });
  expect(cross.ariaDisabled).toBe('true');
  await user.click(cross);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText('City').closest('[inert]')).not.toBeNull();
});

test('when it is no longer busy the cross closes again [§2.7]', async () => {
  const onClose = vi.fn();
  const { user, rerender } = await open({ busy: true, onClose });
  rerender({ onClose });
  const cross = screen.getByRole('button', { name: 'Close' });
  expect(cross.ariaDisabled).toBeNull();
  await user.click(cross);
  expect(onClose).toHaveBeenCalledOnce();
});

test('the second click of a double click on the opening button does not close it; a later click does [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ onClose });
  vi.advanceTimersByTime(399);
  await user.click(backdrop());
  expect(onClose).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await user.click(backdrop());
  expect(onClose).toHaveBeenCalledOnce();
});

test('Escape closes it at once [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ onClose });
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('an open question disappears when saving starts [§2.7]', async () => {
  const { user, rerender } = await open({ dirty: true });
  await user.keyboard('{Escape}');
  rerender({ dirty: true, busy: true });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('keeps the focus while busy and returns it to the field afterwards [§2.7]', async () => {
  const { user, rerender, dialog } = await open();
  await user.click(screen.getByLabelText('City'));
  rerender({ busy: true });
  expect(document.activeElement).toBe(dialog);
  rerender({ busy: false });
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
});

test('Tab and Shift+Tab stay inside and go round [§2.7]', async () => {
  const { user, dialog } = await open();
  const [first, last] = [screen.getByRole('button', { name: 'Close' }), screen.getByRole('button', { name: 'Cancel' })];
  last.focus();
  await user.tab();
  expect(document.activeElement).toBe(first);
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(last);
  dialog?.focus();
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(last);
});

/** The browser goes back asynchronously: the entry of an earlier dialog may still be on top. */
async function startAt(key: string) {
  await waitFor(() => expect(window.history.state?.unsaved).toBeUndefined());
  window.history.replaceState({ key }, '');
}

const isReloadHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a reload asks in the browser’s words while there is typed text, and only then [§2.7]', async () => {
  const { rerender } = await open();
  expect(isReloadHeld()).toBe(false);
  rerender({ dirty: true });
  expect(isReloadHeld()).toBe(true);
  rerender({ dirty: false });
  expect(isReloadHeld()).toBe(false);
});

test('Back asks each time, and leaves no entry behind once the dialog is closed [§2.7]', async () => {
  await startAt('tenants');
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, onClose });
  for (const answer of ['Keep editing', 'Discard']) {
    window.history.back();
    await screen.findByRole('alert');
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: answer }));
  }
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(window.history.state).toEqual({ key: 'tenants' }));
});

test('the button of a toast asks before it leads away from typed text, and not while that is saved [§2.7]', async () => {
  await startAt('tenants');
  const [leave, onClose] = [vi.fn(), vi.fn()];
  const { user, rerender } = await open({ dirty: true, onClose });
  await user.click(screen.getByLabelText('City'));
  act(() => leaveBy(leave));
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(leave).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
  rerender({ dirty: true, busy: true, onClose });
  act(() => leaveBy(leave));
  rerender({ dirty: true, busy: false, onClose });
  expect(screen.queryByRole('alert')).toBeNull();
  act(() => leaveBy(leave));
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(leave).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
  rerender({ dirty: false });
  leaveBy(leave);
  expect(leave).toHaveBeenCalledTimes(2);
});

test('who keeps editing after a toast is at the field, though the toast gave the focus to the page below [§2.7]', async () => {
  await startAt('tenants');
  const { user } = await open({ dirty: true });
  await user.click(screen.getByLabelText('City'));
  act(() => {
    // The button that the toast comes from.
    screen.getByRole('button', { name: 'Open', hidden: true }).focus();
    leaveBy(vi.fn());
  });
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
});

test('what is typed becomes the saved text for a moment: nobody is asked, and Back asks once [§2.7]', async () => {
  await startAt('tenants');
  const { user, rerender } = await open({ dirty: true });
  rerender({ dirty: false });
  // The browser was asked to go back, and has not done so yet.
  await Promise.resolve();
  const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  rerender({ dirty: true });
  await isBack;
  await waitFor(() => expect(window.history.state).toEqual({ key: 'tenants', unsaved: true }));
  expect(screen.queryByRole('alert')).toBeNull();
  window.history.back();
  await screen.findByRole('alert');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(window.history.state).toEqual({ key: 'tenants' }));
});

test.each([
  ['the box around the opening element when that is gone', 'Rows'],
  ['the next box around when that one is gone, too', 'Page'],
])('gives the focus to %s [§2.7]', async (_, left) => {
  function Page() {
    const [step, setStep] = useState<'list' | 'dialog' | 'gone'>('list');
    return (
      <section aria-label="Page" tabIndex={-1}>
        {(step !== 'gone' || left === 'Rows') && (
          <section aria-label="Rows" tabIndex={-1}>
            {step !== 'gone' && <Button onClick={() => setStep('dialog')}>Open</Button>}
          </section>
        )}
        <Modal show={step === 'dialog'} title="Delete" onClose={() => setStep('gone')} footer={null}>
          Sure?
        </Modal>
      </section>
    );
  }
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.keyboard('{Escape}');
  await isClosed();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: left }));
});
