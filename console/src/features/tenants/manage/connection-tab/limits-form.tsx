import {
  type ConnectionLimits,
  connectionLimitsForm,
  credentialRoutes,
  type TenantConnection,
} from '@apotheca/contract/credentials';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useLimitConnectionsMutation } from '../../../../api/credentials.ts';
import { Button } from '../../../../components/button/button.tsx';
import { NumberField } from '../../../../components/field/number-field.tsx';
import { fieldError, useZodForm } from '../../../../components/form/form.tsx';
import { FailureNotice } from '../../../../components/notice/failure-notice.tsx';
import { useSaveRecord } from '../../../../forms/use-save-record.ts';
import { useRefusal } from '../../../../rights/rights.tsx';

interface LimitsFormProps {
  connection: TenantConnection;
  /** Is told whether there are changes that are not saved. */
  onDirty?: (isDirty: boolean) => void;
}

/** What each login may use; an empty field leaves it to the server. */
export function LimitsForm({ connection, onDirty }: LimitsFormProps) {
  const { t } = useTranslation();
  const { id, ownConnectionLimit, statementTimeoutSeconds } = connection;
  const [send] = useLimitConnectionsMutation();
  const refusal = useRefusal();
  const values = useMemo(
    () => ({ connectionLimit: ownConnectionLimit, statementTimeoutSeconds }),
    [ownConnectionLimit, statementTimeoutSeconds],
  );
  const form = useZodForm<z.input<typeof connectionLimitsForm>, ConnectionLimits>(connectionLimitsForm, {
    values,
    resetOptions: { keepDirtyValues: true },
    draft: null,
  });
  const { isDirty, dirtyFields } = form.formState;
  useEffect(() => {
    onDirty?.(isDirty);
    // A refusal of the connection takes the form away, and what was typed with it.
    return () => onDirty?.(false);
  }, [onDirty, isDirty]);
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    // A limit that was not touched may be another one by now.
    send: (fields, { by }) => send({ id, ...picked(fields, dirtyFields), updatedBy: by }),
    onSaved: () => {},
  });
  const field = (name: keyof ConnectionLimits) => ({
    label: t(`tenants.manage.connection.limits.${name}`),
    error: fieldError(form, name),
    hint: t(`tenants.manage.connection.limits.hints.${name}`),
    ...form.register(name, { setValueAs: (value) => (value === '' || value === null ? null : Number(value)) }),
  });
  return (
    <form className="manage-stack" noValidate onSubmit={form.handleSubmit(save)}>
      {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
      <div className="form-grid">
        <NumberField {...field('connectionLimit')} />
        <NumberField {...field('statementTimeoutSeconds')} />
      </div>
      <div>
        <Button type="submit" loading={isSaving} refusal={refusal(credentialRoutes.limit)}>
          {t('tenants.manage.connection.limits.save')}
        </Button>
      </div>
    </form>
  );
}

const picked = (limits: ConnectionLimits, names: object): Partial<ConnectionLimits> =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => Object.hasOwn(names, name)));
