import type { Tenant } from '@apotheca/contract/tenants';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useActivateTenantMutation, useDeactivateTenantMutation } from '../../../api/tenants.ts';
import { useToggleActive } from '../../../lists/use-toggle-active.ts';

/**
 * Activates an inactive tenant, or deactivates an active one.
 * @param onOpenPage leads to the tenant's page; absent on that page
 */
export function useToggleTenant(onOpenPage?: (code: string) => void) {
  const { t } = useTranslation();
  const [activate] = useActivateTenantMutation();
  const [deactivate] = useDeactivateTenantMutation();
  const openAction = useCallback(
    ({ code }: Tenant) => ({ label: t('tenants.openPage'), onSelect: () => onOpenPage?.(code) }),
    [t, onOpenPage],
  );
  return useToggleActive<Tenant>({ activate, deactivate, openAction: onOpenPage && openAction });
}
