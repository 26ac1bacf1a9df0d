import { lastDay } from '@apotheca/contract/tenant-access';
import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { flagColumn } from '../../../components/data-table/flag-column.tsx';
import { RowName } from '../../../components/data-table/row-name.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Day } from '../../../components/display/day.tsx';
import { ExpiryDate } from '../../../components/display/expiry-date.tsx';
import { ShortText } from '../../../components/display/short-text.tsx';
import { localDay } from '../../../lib/moment.ts';
import { shortZone } from '../../../lib/short-zone.ts';
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
    width: 166,
    pinned: true,
    cell: (tenant) => (
      <span className="row-name">
        <RowName opens={tenantLink(tenant.code)}>{tenant.customerCode}</RowName>
        <StandingBadge tenant={tenant} />
      </span>
    ),
    text: (tenant) => tenant.customerCode,
  },
  {
    id: 'code',
    header: t('tenants.columns.code'),
    sortKey: 'code',
    width: 130,
    below: 'customerName',
    onCard: true,
    cell: (tenant) => <span className="code">{tenant.code}</span>,
    text: (tenant) => tenant.code,
  },
  flagColumn({
    id: 'active',
    header: t('tenants.columns.active'),
    width: 98,
    onCard: 'whole',
    values: ['active', 'inactive'],
    isOn: ({ isActive }) => isActive,
    onText: t('tenants.active'),
    offText: t('tenants.inactive'),
  }),
  {
    id: 'status',
    header: t('tenants.columns.status'),
    width: 112,
    below: 'active',
    filterBy: ({ tenantStatusId }) => tenantStatusId,
    cell: (tenant) => <Badge tone={statusTone(tenant.tenantStatus.name)}>{tenant.tenantStatus.name}</Badge>,
    text: (tenant) => tenant.tenantStatus.name,
  },
];

const contact = (t: TFunction): Column<Tenant>[] => [
  {
    id: 'emr',
    header: t('tenants.columns.emr'),
    sortKey: 'emrId',
    width: 112,
    filterBy: ({ emrId }) => emrId,
    cell: (tenant) => tenant.emr.name,
    text: (tenant) => tenant.emr.name,
  },
  {
    id: 'contact',
    header: t('tenants.columns.contact'),
    sortKey: 'firstName',
    width: 122,
    cell: contactName,
    text: contactName,
  },
  { id: 'address', header: t('tenants.columns.address'), width: 122, below: 'contact', cell: address, text: address },
  {
    id: 'phone',
    header: t('tenants.columns.phone'),
    width: 158,
    cell: (tenant) => <span className="num text-muted">{tenant.phone}</span>,
    text: (tenant) => tenant.phone,
  },
  {
    id: 'timezone',
    header: t('tenants.columns.timezone'),
    width: 158,
    below: 'phone',
    filterBy: ({ timezoneId }) => timezoneId,
    cell: ({ timezone }) => <ShortText full={timezone.displayName}>{shortZone(timezone.displayName)}</ShortText>,
    text: (tenant) => tenant.timezone.displayName,
  },
];

const dates = (t: TFunction): Column<Tenant>[] => [
  {
    id: 'expiry',
    header: t('tenants.columns.expiry'),
    sortKey: 'subscriptionEndDate',
    width: 130,
    onCard: 'whole',
    cell: (tenant) => <ExpiryDate day={tenant.subscriptionEndDate} lastDay={lastDay(tenant)} />,
    text: (tenant) => tenant.subscriptionEndDate,
  },
  {
    id: 'createdOn',
    header: t('tenants.columns.createdOn'),
    width: 112,
    below: 'expiry',
    cell: (tenant) => <Day moment={tenant.createdOnUtc} />,
    text: createdOn,
  },
];

/** The columns of SPEC §2.6; those that belong together stand below each other. */
export const tenantColumns = (t: TFunction, tenantLink: TenantLink): Column<Tenant>[] => [
  ...identity(t, tenantLink),
  ...contact(t),
  ...dates(t),
];
