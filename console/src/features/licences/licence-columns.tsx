import { lastDay } from '@apotheca/contract/tenant-access';
import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { flagColumn } from '../../components/data-table/flag-column.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { ExpiryDate } from '../../components/display/expiry-date.tsx';
import { expiryText } from '../../lib/expiry.ts';
import { statusTone } from '../../lib/status-tone.ts';
import { LicenceId } from './licence-id.tsx';

const contactName = ({ firstName, lastName }: Tenant) => `${firstName} ${lastName}`.trim();
const address = ({ city, state }: Tenant) => [city, state].filter(Boolean).join(', ');

const licence = (t: TFunction, tenantLink: (code: string) => string): Column<Tenant>[] => [
  {
    id: 'id',
    header: t('licences.columns.id'),
    width: 150,
    pinned: true,
    cell: (tenant) => <LicenceId id={tenant.id} name={tenant.customerCode} />,
    text: ({ id }) => id,
  },
  {
    id: 'customerName',
    header: t('licences.columns.customerName'),
    sortKey: 'customerCode',
    width: 205,
    onCard: true,
    cell: (tenant) => <RowName opens={tenantLink(tenant.code)}>{tenant.customerCode}</RowName>,
    text: ({ customerCode }) => customerCode,
  },
  {
    id: 'code',
    header: t('licences.columns.code'),
    sortKey: 'code',
    width: 120,
    below: 'customerName',
    cell: ({ code }) => <span className="code">{code}</span>,
    text: ({ code }) => code,
  },
  {
    id: 'type',
    header: t('licences.columns.type'),
    sortKey: 'emrId',
    filterBy: ({ emrId }) => emrId,
    width: 130,
    cell: ({ emr }) => emr.name,
    text: ({ emr }) => emr.name,
  },
  {
    id: 'expiry',
    header: t('licences.columns.expiry'),
    sortKey: 'subscriptionEndDate',
    width: 135,
    below: 'type',
    onCard: 'whole',
    cell: (tenant) => <ExpiryDate day={tenant.subscriptionEndDate} lastDay={lastDay(tenant)} />,
    text: ({ subscriptionEndDate }) => subscriptionEndDate,
  },
];

const contact = (t: TFunction): Column<Tenant>[] => [
  {
    id: 'contact',
    header: t('licences.columns.contact'),
    sortKey: 'firstName',
    width: 150,
    cell: contactName,
    text: contactName,
  },
  { id: 'address', header: t('licences.columns.address'), width: 150, below: 'contact', cell: address, text: address },
  {
    id: 'phone',
    header: t('licences.columns.phone'),
    width: 142,
    cell: ({ phone }) => <span className="num text-muted">{phone}</span>,
    text: ({ phone }) => phone,
  },
];

const state = (t: TFunction): Column<Tenant>[] => [
  flagColumn({
    id: 'active',
    header: t('licences.columns.active'),
    width: 98,
    values: ['active', 'inactive'],
    isOn: ({ isActive }) => isActive,
    onText: t('licences.active'),
    offText: t('licences.inactive'),
  }),
  {
    id: 'status',
    header: t('licences.columns.status'),
    width: 122,
    below: 'active',
    filterBy: ({ tenantStatusId }) => tenantStatusId,
    onCard: 'whole',
    cell: ({ tenantStatus }) => <Badge tone={statusTone(tenantStatus.name)}>{tenantStatus.name}</Badge>,
    text: ({ tenantStatus }) => tenantStatus.name,
  },
];

/** The columns of SPEC §2.12; those that belong together stand below each other. */
export const licenceColumns = (t: TFunction, tenantLink: (code: string) => string): Column<Tenant>[] => [
  ...licence(t, tenantLink),
  ...contact(t),
  ...state(t),
];

/** What the text filter searches in addition to the columns. @param today YYYY-MM-DD: 10,000 rows need not ask for it each */
export const licenceTexts =
  (t: TFunction, today: string) =>
  (tenant: Tenant): string[] => [
    tenant.phone.replace(/\D/g, ''),
    expiryText(t, tenant.subscriptionEndDate, lastDay(tenant), today),
  ];
