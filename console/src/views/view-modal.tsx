import { roleRoutes } from '@apotheca/contract/roles';
import type { View, ViewList } from '@apotheca/contract/views';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureOf, showError } from '../api/http/answer-errors.ts';
import { useListRolesQuery } from '../api/roles.ts';
import { useCreateViewMutation, useDeleteViewMutation, useEditViewMutation } from '../api/views.ts';
import { Button } from '../components/button/button.tsx';
import { DialogButtons } from '../components/dialog/dialog-buttons.tsx';
import { Modal } from '../components/dialog/modal.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { TextField } from '../components/field/text-field.tsx';
import type { Failure, Retry } from '../components/notice/failure-notice.tsx';
import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { LoadFailed } from '../operations/load-failed.tsx';
import { LoadingText } from '../operations/loading-text.tsx';
import { useRefusal } from '../rights/rights.tsx';

interface ViewModalProps {
  show: boolean;
  list: ViewList;
  /** What the list shows now. */
  query: string;
  /** The view that is changed; absent: a new one. */
  view: View | undefined;
  onClose: () => void;
}

/** Saves a view, or renames, shares or deletes one. */
export function ViewModal({ show, list, query, view, onClose }: ViewModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [name, setName] = useState(view?.name ?? '');
  const [roleId, setRoleId] = useState(view?.roleId ?? '');
  const [failed, setFailed] = useState<{ failure: Failure; retry: Retry }>();
  const [errors, setErrors] = useState<Record<string, string[] | undefined>>({});
  const [create] = useCreateViewMutation();
  const [edit] = useEditViewMutation();
  const [remove] = useDeleteViewMutation();
  const { run, isBusy } = useOneAtATime();
  const refusal = useRefusal();

  async function send(call: () => PromiseLike<{ data?: { message: string }; error?: unknown }>) {
    setFailed(undefined);
    const outcome = await run(call);
    if (!outcome) return;
    if (outcome.data) {
      notify.success(outcome.data.message);
      return onClose();
    }
    const errors = showError(outcome.error);
    setErrors(errors ?? {});
    if (!errors) setFailed({ failure: failureOf(outcome.error), retry: { onClick: () => void send(call) } });
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const fields = { name, query, roleId: roleId || null };
    void send(() => (view ? edit({ ...fields, id: view.id }) : create({ ...fields, list })));
  }
  const footer = (
    <DialogButtons isBusy={isBusy} onClose={onClose}>
      {view && (
        <Button variant="danger" disabled={isBusy} onClick={() => void send(() => remove({ id: view.id }))}>
          {t('views.delete')}
        </Button>
      )}
      <Button
        type="submit"
        form={formId}
        loading={isBusy}
        // A shared view stands on the screens of others.
        refusal={roleId === '' ? undefined : refusal(roleRoutes.editPermissions)}
      >
        {t('views.submit')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t(view ? 'views.editTitle' : 'views.saveTitle')}
      footer={footer}
      busy={isBusy}
      {...failed}
      onClose={onClose}
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label={t('views.name')}
          required
          value={name}
          error={errors.name?.[0]}
          onChange={(event) => setName(event.target.value)}
        />
        <SharedWith value={roleId} error={errors.roleId?.[0]} onChange={setRoleId} />
      </form>
    </Modal>
  );
}

interface SharedWithProps {
  value: string;
  error: string | undefined;
  onChange: (roleId: string) => void;
}

/** The role that a view is shared with; who may not change roles is told that they share none. */
function SharedWith({ value, error, onChange }: SharedWithProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const isRefused = refusal(roleRoutes.list) !== undefined;
  const { data, error: why, isFetching, refetch } = useListRolesQuery(undefined, { skip: isRefused });
  if (!data && why) return <LoadFailed error={why} busy={isFetching} onRetry={refetch} />;
  if (!data && !isRefused) return <LoadingText>{t('roles.loading')}</LoadingText>;
  return (
    <SelectField
      label={t('views.sharedWith')}
      emptyLabel={t('views.nobody')}
      value={value}
      error={error}
      hint={refusal(roleRoutes.editPermissions)}
      options={(data ?? []).map(({ id, roleName }) => ({ value: id, label: roleName }))}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
