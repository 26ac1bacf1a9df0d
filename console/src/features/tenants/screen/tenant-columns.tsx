import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import { Link } from 'react-router';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { flagColumn } from '../../../components/data-table/flag-column.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Day } from '../../../components/display/day.tsx';
import { ExpiryDate } from '../../../components/display/expiry-date.tsx';
import { localDay } from '../../../lib/expiry.ts';
import { statusTone } from '../../../lib/status-tone.ts';
import { StandingBadge } from './standing-badge.tsx';

const contactName = (tenant: Tenant) => `${tenant.firstName} ${tenant.lastName}`.trim();
const address = (tenant: Tenant) => [tenant.city, tenant.state].filter(Boolean).join(', ');
const createdOn = (tenant: Tenant) => localDay(new Date(tenant.createdOnUtc));

/** The address of a tenant's page. */
export type TenantLink = (code: string) => string;

const identity = (t: TFunction, tenantLink: TenantLink): Column<Tenant>[] => [
  {
    id: 'customerName',
    header: t('tenants.columns.customerName'),
    sortKey: 'customerCode',
    width: 235,
    pinned: true,
    cell: (tenant) => (
      <span className="row-name">
        <Link to={tenantLink(tenant.code)}>{tenant.customerCode}</Link>
        <StandingBadge tenant={tenant} />
      </span>
    ),
    text: (tenant) => tenant.customerCode,
  },
  {
    id: 'code',
    header: t('tenants.columns.code'),
    sortKey: 'code',
    width: 120,
    cell: (tenant) => <span className="code">{tenant.code}</span>,
    text: (tenant) => tenant.code,
  },
  {
    id: 'emr',
    header: t('tenants.columns.emr'),
    sortKey: 'emrId',
    width: 122,
    cell: (tenant) => tenant.emr.name,
    text: (tenant) => tenant.emr.name,
  },
];

const contact = (t: TFunction): Column<Tenant>[] => [
  {
    id: 'contact',
    header: t('tenants.columns.contact'),
    sortKey: 'firstName',
    width: 135,
    cell: contactName,
    text: contactName,
  },
  {
    id: 'expiry',
    header: t('tenants.columns.expiry'),
    sortKey: 'subscriptionEndDate',
    width: 135,
    cell: (tenant) => <ExpiryDate day={tenant.subscriptionEndDate} />,
    text: (tenant) => tenant.subscriptionEndDate,
  },
  {
    id: 'phone',
    header: t('tenants.columns.phone'),
    width: 142,
    cell: (tenant) => <span className="num text-muted">{tenant.phone}</span>,
    text: (tenant) => tenant.phone,
  },
  { id: 'address', header: t('tenants.columns.address'), width: 130, cell: address, text: address },
  {
    id: 'timezone',
    header: t('tenants.columns.timezone'),
    width: 225,
    cell: (tenant) => <span className="text-muted">{tenant.timezone.displayName}</span>,
    text: (tenant) => tenant.timezone.displayName,
  },
];

const state = (t: TFunction): Column<Tenant>[] => [
  flagColumn({
    id: 'active',
    header: t('tenants.columns.active'),
    width: 98,
    isOn: ({ isActive }) => isActive,
    onText: t('tenants.active'),
    offText: t('tenants.inactive'),
  }),
  {
    id: 'status',
    header: t('tenants.columns.status'),
    width: 122,
    cell: (tenant) => <Badge tone={statusTone(tenant.tenantStatus.name)}>{tenant.tenantStatus.name}</Badge>,
    text: (tenant) => tenant.tenantStatus.name,
  },
  {
    id: 'createdOn',
    header: t('tenants.columns.createdOn'),
    width: 112,
    cell: (tenant) => <Day moment={tenant.createdOnUtc} />,
    text: createdOn,
  },
];

/** The columns of the tenants list, in the order of SPEC §2.6. */
export const tenantColumns = (t: TFunction, tenantLink: TenantLink): Column<Tenant>[] => [
  ...identity(t, tenantLink),
  ...contact(t),
  ...state(t),
];
