import { useTranslation } from 'react-i18next';
import { useActivateTenantMutation, useDeactivateTenantMutation } from '../../../api/tenants.ts';
import { useToggleActive } from '../../../lists/use-toggle-active.ts';
import { suspensionRules } from '../standing.ts';

/** Activates an inactive tenant, or deactivates an active one. */
export function useToggleTenant() {
  const { t } = useTranslation();
  const [activate] = useActivateTenantMutation();
  const [deactivate] = useDeactivateTenantMutation();
  const isEnforced = suspensionRules().mode === 'enforce';
  const texts = {
    activatedText: t('tenants.activated'),
    deactivatedText: t(isEnforced ? 'tenants.deactivatedAndClosed' : 'tenants.deactivated'),
  };
  return useToggleActive({ activate, deactivate, ...texts });
}
