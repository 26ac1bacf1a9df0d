import { useTranslation } from 'react-i18next';
import { useActivateTenantMutation, useDeactivateTenantMutation } from '../../../api/tenants.ts';
import { useToggleActive } from '../../../lists/use-toggle-active.ts';

/** Activates an inactive tenant, or deactivates an active one. */
export function useToggleTenant() {
  const { t } = useTranslation();
  const [activate] = useActivateTenantMutation();
  const [deactivate] = useDeactivateTenantMutation();
  const texts = { activatedText: t('tenants.activated'), deactivatedText: t('tenants.deactivated') };
  return useToggleActive({ activate, deactivate, ...texts });
}
