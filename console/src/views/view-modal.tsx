import { roleRoutes } from '@apotheca/contract/roles';
import { type View, type ViewList, viewForm } from '@apotheca/contract/views';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useListRolesQuery } from '../api/roles.ts';
import { useCreateViewMutation, useEditViewMutation } from '../api/views.ts';
import { Button } from '../components/button/button.tsx';
import { DialogButtons } from '../components/dialog/dialog-buttons.tsx';
import { Modal } from '../components/dialog/modal.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { TextField } from '../components/field/text-field.tsx';
import { fieldError, useZodForm, type ZodForm } from '../components/form/form.tsx';
import { useSaveRecord } from '../forms/use-save-record.ts';
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
  /** Asks whether the view is to be deleted. */
  onDelete: (view: View) => void;
  onClose: () => void;
}

/** The name, and the role that it is shared with; empty: with none. */
const schema = viewForm.extend({ roleId: z.string() });
type Fields = z.output<typeof schema>;

/** Saves a view, or renames or shares one. */
export function ViewModal({ show, list, query, view, onDelete, onClose }: ViewModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const defaultValues = { name: view?.name ?? '', roleId: view?.roleId ?? '' };
  const form = useZodForm<z.input<typeof schema>, Fields>(schema, { defaultValues, draft: null });
  const [create] = useCreateViewMutation();
  const [edit] = useEditViewMutation();
  const refusal = useRefusal();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: view === undefined,
    send: ({ name, roleId }: Fields) => {
      const sharedWith = { roleId: roleId || null };
      if (!view) return create({ name, ...sharedWith, list, query });
      // Only what was changed here: another tab may have changed the rest.
      const { dirtyFields } = form.formState;
      return edit({ id: view.id, ...(dirtyFields.name && { name }), ...(dirtyFields.roleId && sharedWith) });
    },
    onSaved: onClose,
  });
  const footer = (
    <DialogButtons isBusy={isSaving}>
      {view && (
        <Button variant="danger" disabled={isSaving} onClick={() => onDelete(view)}>
          {t('views.delete')}
        </Button>
      )}
      <Button
        type="submit"
        form={formId}
        loading={isSaving}
        // A shared view stands on the screens of others.
        refusal={form.watch('roleId') === '' ? undefined : refusal(roleRoutes.editPermissions)}
      >
        {t('views.submit')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, failure, footer, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t(view ? 'views.editTitle' : 'views.saveTitle')}
      dirty={form.formState.isDirty}
      busy={isSaving}
    >
      <form id={formId} onSubmit={form.handleSubmit(save)} noValidate>
        <TextField {...form.register('name')} label={t('views.name')} required error={fieldError(form, 'name')} />
        <SharedWith form={form} roleId={defaultValues.roleId} />
      </form>
    </Modal>
  );
}

/**
 * The role that a view is shared with; who may not change roles is told that they share none.
 * @param roleId the role that it is shared with already; empty: none
 */
function SharedWith({ form, roleId }: { form: ZodForm<z.input<typeof schema>, Fields>; roleId: string }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  // Controlled, as a native select drops a value whose option is not loaded yet.
  const { field } = useController({ control: form.control, name: 'roleId' });
  const isRefused = refusal(roleRoutes.list) !== undefined;
  const { data, error: why, isFetching, refetch } = useListRolesQuery(undefined, { skip: isRefused });
  if (!data && why) return <LoadFailed error={why} busy={isFetching} onRetry={refetch} />;
  if (!data && !isRefused) return <LoadingText>{t('roles.loading')}</LoadingText>;
  const options = (data ?? []).map(({ id, roleName }) => ({ value: id, label: roleName }));
  // Else the select would show Nobody, and could not be set to it.
  const unseen = isRefused && roleId !== '' ? [{ value: roleId, label: t('views.unseenRole') }] : [];
  return (
    <SelectField
      {...field}
      label={t('views.sharedWith')}
      emptyLabel={t('views.nobody')}
      error={fieldError(form, 'roleId')}
      hint={refusal(roleRoutes.editPermissions)}
      options={[...options, ...unseen]}
    />
  );
}
