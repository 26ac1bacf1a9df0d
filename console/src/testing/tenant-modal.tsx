import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { fireEvent, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { TenantMode } from '../features/tenants/form/tenant-form-types.ts';
import { TenantModal } from '../features/tenants/form/tenant-modal.tsx';
import { fill, findField } from './fields.ts';
import { renderWithStore } from './render.tsx';
import { ok, onRoute } from './server.ts';
import { EMRS, makeTenant, STATUSES, TIMEZONES } from './tenants.ts';

export const cedar = makeTenant({ code: 'CEDARVA', customerCode: 'Cedar Valley Allergy' });

/** Answers the calls for the choices of the tenant form's selects. */
export const tenantLookups = [
  onRoute(tenantRoutes.listStatuses, () => ok(STATUSES)),
  onRoute(tenantRoutes.listTimezones, () => ok(TIMEZONES)),
  onRoute(tenantRoutes.listEmrs, () => ok(EMRS)),
];

export async function renderTenantModal(mode: TenantMode, tenant?: Tenant) {
  const onClose = vi.fn();
  const view = renderWithStore(<TenantModal show mode={mode} tenant={tenant} onClose={onClose} />);
  await (mode === 'view' ? screen.findByText('First Name') : findField('First Name'));
  return { ...view, onClose };
}

export const submit = (name: 'Create' | 'Save' = 'Create') => fireEvent.click(screen.getByRole('button', { name }));

/** Fills in the required fields, as a new tenant of customer Silver Lake. */
export function fillRequired() {
  fill('Customer Name/Code', 'Silver Lake');
  fill('Tenant Code', 'silverlake');
  fill('First Name', 'Ines');
  fill('Last Name', 'Moreau');
  fill('Email', 'ines@silverlake.test');
  fill('Phone', '(425) 555-0100');
  fill('EMR', 'epic');
  fill('Time Zone', 'UTC');
}
