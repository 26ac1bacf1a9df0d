import { useTranslation } from 'react-i18next';
import { useActivateUserMutation, useDeactivateUserMutation } from '../../api/users.ts';
import { useToggleActive } from '../../lists/use-toggle-active.ts';

/** Activates an inactive user, or deactivates an active one. */
export function useToggleUser() {
  const { t } = useTranslation();
  const [activate] = useActivateUserMutation();
  const [deactivate] = useDeactivateUserMutation();
  const texts = { activatedText: t('users.activated'), deactivatedText: t('users.deactivated') };
  return useToggleActive({ activate, deactivate, ...texts });
}
