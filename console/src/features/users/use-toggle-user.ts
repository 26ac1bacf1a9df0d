import { useTranslation } from 'react-i18next';
import { useActivateUserMutation, useDeactivateUserMutation } from '../../api/users.ts';
import { useToggleActive } from '../../lists/use-toggle-active.ts';

/** Activates an inactive user, or deactivates an active one. */
export function useToggleUser() {
  const { t } = useTranslation();
  const [activate] = useActivateUserMutation();
  const [deactivate] = useDeactivateUserMutation();
  return useToggleActive({
    activate,
    deactivate,
    activatedText: t('users.activated'),
    deactivatedText: t('users.deactivated'),
    deactivatedDetail: t('users.keysEnded'),
  });
}
