import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { leaveBy } from '../../components/dialog/use-unsaved-guard.ts';
import { tenantPath } from './paths.ts';

/** Leads to the page of a tenant from a toast, which may lie over a form or dialog in which something is typed: that asks first. */
export function useOpenTenant(): (...to: Parameters<typeof tenantPath>) => void {
  const navigate = useNavigate();
  return useCallback((...to) => leaveBy(() => navigate(tenantPath(...to))), [navigate]);
}
