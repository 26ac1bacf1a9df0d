import type { Menu } from '@apotheca/contract/menus';
import { editMenuForm, menuForm, permissionRoutes } from '@apotheca/contract/permissions';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordModal } from '../../components/dialog/record-modal.tsx';
import { useZodForm } from '../../components/form/form.tsx';
import { Overlay } from '../../components/waiting/overlay.tsx';
import { useSavePermission } from '../../forms/use-save-permission.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { MenuForm } from './menu-form.tsx';
import type { MenuFields, MenuFormInput } from './menu-form-types.ts';
import { menuValues, newMenuValues } from './menu-form-values.ts';
import { routeToSend } from './menu-route.ts';
import type { ParentOption } from './parent-options.ts';
import { useMenuChoices } from './use-menu-choices.ts';
import { useMenuStaleEdit } from './use-menu-stale-edit.ts';

interface MenuModalProps {
  show: boolean;
  /** The menu to edit; absent: create one. */
  menu?: Menu;
  /** The menu that will contain the new one; absent: it is chosen in the dialog. */
  parent?: Menu;
  onClose: () => void;
}

const NO_PARENTS: readonly ParentOption[] = [];
/** The identifier is derived from the name, and has no field of its own. */
const PLACES = { shownAt: { identifier: 'name' } };

/** Creates or edits a menu (SPEC §2.15). */
export function MenuModal({ show, menu, parent, onClose }: MenuModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const isNew = menu === undefined;
  const { choices, isFetching, retry } = useMenuChoices(show, menu);
  const ids = choices?.availableIds;
  const values = useMemo(() => (menu ? menuValues(menu) : ids && newMenuValues(ids, parent)), [menu, ids, parent]);
  const form = useZodForm<MenuFormInput, MenuFields>(isNew ? menuForm : editMenuForm, { values });
  const stale = useMenuStaleEdit(form, choices?.parents ?? NO_PARENTS, menu);
  // With the values that other users have set meanwhile.
  const stored = menu && { ...menu, ...stale.theirs };
  const bodyOf = (fields: MenuFields) => ({ ...fields, route: routeToSend(fields, stored) });
  const { save, isSaving, failure } = useSavePermission({
    form,
    isNew,
    stale,
    bodyOf,
    places: PLACES,
    onSaved: onClose,
  });
  const placeholder = {
    loadingText: t('menus.modal.loading'),
    failedText: t('menus.modal.loadFailed'),
    isError: !isFetching,
    onRetry: retry,
  };
  const mode = isNew ? 'create' : 'edit';
  const saveRefusal = useRefusal()(permissionRoutes[mode]);
  return (
    <RecordModal
      {...{ show, mode, formId, isSaving, saveRefusal, failure, placeholder, onClose }}
      title={t(`menus.modal.${mode}Title`)}
      subtitle={menu?.name}
      size="lg"
      // High enough for messages: a dialog that grows when a field is left would move the element that is being
      // clicked.
      bodyHeight="30rem"
      dirty={form.formState.isDirty}
      isReady={choices !== undefined && !isFetching}
    >
      {choices && (
        <>
          <MenuForm
            id={formId}
            form={form}
            menu={stored}
            {...choices}
            notice={stale.notice}
            onSubmit={form.handleSubmit(save)}
          />
          {(isFetching || isSaving) && <Overlay label={t(isSaving ? 'menus.modal.saving' : 'menus.modal.loading')} />}
        </>
      )}
    </RecordModal>
  );
}
