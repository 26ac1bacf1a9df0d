import type { User } from '@apotheca/contract/users';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../api/answer-errors.ts';
import { selectSession } from '../../api/session-slice.ts';
import { useActivateUserMutation, useDeactivateUserMutation } from '../../api/users.ts';
import { notify } from '../../components/toast.tsx';

/** Activates an inactive user and the other way round (SPEC §4); a user under way is left alone until it is done. */
export function useToggleActive(): (user: User) => Promise<void> {
  const { t } = useTranslation();
  const { id: updatedBy } = useSelector(selectSession);
  const [activate] = useActivateUserMutation();
  const [deactivate] = useDeactivateUserMutation();
  const underWay = useRef(new Set<string>());
  return useCallback(
    async ({ id, isActive }) => {
      if (underWay.current.has(id)) return;
      underWay.current.add(id);
      try {
        await (isActive ? deactivate : activate)({ id, updatedBy }).unwrap();
        notify.success(t(isActive ? 'users.deactivated' : 'users.activated'));
      } catch (error) {
        showError(error);
      } finally {
        underWay.current.delete(id);
      }
    },
    [t, updatedBy, activate, deactivate],
  );
}
