import type { Tenant } from '@apotheca/contract/tenants';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../api/answer-errors.ts';
import { selectSession } from '../../api/session-slice.ts';
import { useActivateTenantMutation, useDeactivateTenantMutation } from '../../api/tenants.ts';
import { notify } from '../../components/toast.tsx';

/** Activates an inactive tenant and the other way round (SPEC §4). */
export function useToggleActive(): (tenant: Tenant) => Promise<void> {
  const { t } = useTranslation();
  const { id: updatedBy } = useSelector(selectSession);
  const [activate] = useActivateTenantMutation();
  const [deactivate] = useDeactivateTenantMutation();
  return useCallback(
    async ({ id, isActive }) => {
      try {
        await (isActive ? deactivate : activate)({ id, updatedBy }).unwrap();
        notify.success(t(isActive ? 'tenants.deactivated' : 'tenants.activated'));
      } catch (error) {
        showError(error);
      }
    },
    [t, updatedBy, activate, deactivate],
  );
}
