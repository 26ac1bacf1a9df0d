import { ownFactorRoutes, type Passkey } from '@apotheca/contract/second-factors';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useRenamePasskeyMutation } from '../../../api/factors.ts';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOneAtATime } from '../../../lib/use-one-at-a-time.ts';
import type { CodesDialogProps, FactorDialogProps, Named } from './factor-dialog.ts';
import { useAddPasskey } from './use-add-passkey.ts';

const nameForm = z.object({ name: ownFactorRoutes.renamePasskey.body.shape.name });

/** Asks for a name, then the browser asks for the passkey. */
export function AddPasskeyDialog({ onCodes, ...dialog }: CodesDialogProps) {
  const { t } = useTranslation();
  const add = useAddPasskey();
  const texts = { title: t('factors.dialog.addTitle'), confirmLabel: t('factors.dialog.addTitle') };
  return <NameDialog {...dialog} {...texts} name="" send={add} onSaved={(codes) => onCodes(codes)} />;
}

export function RenamePasskeyDialog({ passkey, ...dialog }: FactorDialogProps & { passkey: Passkey }) {
  const { t } = useTranslation();
  const [rename] = useRenamePasskeyMutation();
  const texts = { title: t('factors.dialog.nameTitle'), confirmLabel: t('factors.dialog.save') };
  const send = async (name: string) => {
    const { data, error } = await rename({ id: passkey.id, name });
    return data ? { message: data.message } : { error };
  };
  return <NameDialog {...dialog} {...texts} name={passkey.name} send={send} onSaved={dialog.onClose} />;
}

interface NameDialogProps extends FactorDialogProps {
  title: string;
  confirmLabel: string;
  name: string;
  send: (name: string) => Promise<Named>;
  onSaved: (codes: string[] | null | undefined) => void;
}

function NameDialog({ name, send, onSaved, ...dialog }: NameDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useZodForm(nameForm, { defaultValues: { name }, draft: null });
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure();
  const submit = form.handleSubmit(async (values) => {
    const named = await run(() => send(values.name));
    if (named?.error) fail(named.error);
    if (named?.message === undefined) return;
    notify.success(named.message);
    onSaved(named.codes);
  });
  return (
    <SubmitModal {...dialog} formId={formId} busy={isBusy} failure={failure} progress={undefined}>
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          label={t('factors.dialog.name')}
          hint={t('factors.dialog.nameHint')}
          error={fieldError(form, 'name')}
          autoComplete="off"
          autoFocus
          {...form.register('name')}
        />
      </form>
    </SubmitModal>
  );
}
