import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useListTenantStatusesQuery } from '../../api/tenants.ts';
import { readTenantsView, type TenantsView } from './tenants-view.ts';

type Change = Partial<Record<'sort' | 'dir' | 'q' | 'status' | 'active', string>>;

/**
 * The view of the tenants list in the address (`?sort=code&dir=asc&q=…&status=…&active=…`) and how to change it. A status
 * that there is not (any more) is none: it would hide every tenant, and the chip could not show it.
 */
export const useTenantsView = (): { view: TenantsView; changeView: (change: Change) => void } => {
  const [params, setParams] = useSearchParams();
  const { data: statuses, isError } = useListTenantStatusesQuery();
  const isUnknown = (id: string) => (statuses ? !statuses.some((status) => status.id === id) : isError);
  const asked = useMemo(() => readTenantsView(params), [params]);
  const status = isUnknown(asked.status) ? '' : asked.status;
  const view = useMemo(() => ({ ...asked, status }), [asked, status]);
  const changeView = useCallback(
    (change: Change) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(change)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        // Back leads to the page before, not through every letter that was typed.
        { replace: true },
      ),
    [setParams],
  );
  return { view, changeView };
};
