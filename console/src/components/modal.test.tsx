import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

interface HostProps {
  dirty?: boolean;
  onClose?: () => void;
}

/** A page with a button that opens the dialog. */
function Host({ dirty, onClose }: HostProps) {
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
  render(<Host {...props} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  return { user, dialog: screen.getAllByRole('dialog', { name: 'Create Tenant' })[0] };
}

const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('is a dialog named by its title, and marks the body while it is open [§4]', async () => {
  const { user, dialog } = await open();
  expect(dialog?.getAttribute('aria-modal')).toBe('true');
  expect(document.body.classList.contains('modal-open')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await isClosed();
  expect(document.body.classList.contains('modal-open')).toBe(false);
});

test('takes the focus and gives it back to what opened it [§2.7]', async () => {
  const { user, dialog } = await open();
  expect(dialog?.contains(document.activeElement)).toBe(true);
  await user.keyboard('{Escape}');
  await isClosed();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
});

test('the body has the height it is given [§2.7]', async () => {
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
      const [backdrop] = screen.getAllByRole('dialog');
      if (backdrop) await user.click(backdrop);
    },
  ],
])('%s asks before it throws away what was typed [§2.7]', async (_, close) => {
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, onClose });
  await user.click(screen.getByLabelText('City'));
  await close(user);
  expect(screen.getByRole('alert').textContent).toContain('Discard changes?');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('Keep editing goes back to the field, with the dialog still open [§2.7]', async () => {
  const onClose = vi.fn();
  const { user } = await open({ dirty: true, onClose });
  await user.click(screen.getByLabelText('City'));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('City'));
  expect(onClose).not.toHaveBeenCalled();
});
