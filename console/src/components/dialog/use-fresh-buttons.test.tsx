import { deleteTenantForm } from '@apotheca/contract/tenant-form';
import { act, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fill } from '../../testing/fields.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { SubmitModal } from './submit-modal.tsx';
import { TypeToConfirmDialog } from './type-to-confirm-dialog.tsx';

const shared = { show: true, title: 'Move', confirmLabel: 'Move ACME', busy: false };
const nothing = () => {};

const DIALOGS: Record<string, (progress: ReactNode) => ReactNode> = {
  ConfirmDialog: (progress) => (
    <ConfirmDialog {...shared} progress={progress} message="" onConfirm={nothing} onCancel={nothing} />
  ),
  SubmitModal: (progress) => (
    <SubmitModal {...shared} formId="move" progress={progress} onClose={nothing}>
      <form id="move" />
    </SubmitModal>
  ),
  TypeToConfirmDialog: (progress) => (
    <TypeToConfirmDialog
      {...shared}
      progress={progress}
      warning=""
      expected="ACME"
      label="Code"
      schema={deleteTenantForm('ACME')}
      onConfirm={nothing}
      onCancel={nothing}
    />
  ),
};

const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move ACME' });

test.each(Object.entries(DIALOGS))(
  'the button of a %s that comes back in place of the progress takes no click for a second [§2.20]',
  async (name, dialog) => {
    const { rerender } = render(dialog(undefined));
    if (name === 'TypeToConfirmDialog') fill('Code', 'ACME');
    await waitFor(() => expect(confirm().disabled).toBe(false));
    rerender(dialog('Copying'));
    expect(screen.queryByRole('button', { name: 'Move ACME' })).toBeNull();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    rerender(dialog(undefined));
    expect(confirm().disabled).toBe(true);
    act(() => vi.advanceTimersByTime(999));
    expect(confirm().disabled).toBe(true);
    act(() => vi.advanceTimersByTime(1));
    expect(confirm().disabled).toBe(false);
  },
);
