import type { Tenant } from '@apotheca/contract/tenants';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { flagColumn } from '../../components/data-table/flag-column.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { ExpiryDate } from '../../components/display/expiry-date.tsx';
import { isSubscriptionExpired } from '../../lib/expiry.ts';
import { statusTone } from '../../lib/status-tone.ts';
import { LicenceId } from './licence-id.tsx';

const contactName = ({ firstName, lastName }: Tenant) => `${firstName} ${lastName}`.trim();
const address = ({ city, state }: Tenant) => [city, state].filter(Boolean).join(', ');

const licence = (t: TFunction): Column<Tenant>[] => [
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
    cell: ({ customerCode }) => customerCode,
    text: ({ customerCode }) => customerCode,
  },
  {
    id: 'code',
    header: t('licences.columns.code'),
    sortKey: 'code',
    width: 120,
    cell: ({ code }) => <span className="code">{code}</span>,
    text: ({ code }) => code,
  },
  {
    id: 'type',
    header: t('licences.columns.type'),
    sortKey: 'emrId',
    width: 130,
    cell: ({ emr }) => emr.name,
    text: ({ emr }) => emr.name,
  },
];

const contact = (t: TFunction): Column<Tenant>[] => [
  {
    id: 'contact',
    header: t('licences.columns.contact'),
    sortKey: 'firstName',
    width: 140,
    cell: contactName,
    text: contactName,
  },
  {
    id: 'phone',
    header: t('licences.columns.phone'),
    width: 142,
    cell: ({ phone }) => <span className="num text-muted">{phone}</span>,
    text: ({ phone }) => phone,
  },
  { id: 'address', header: t('licences.columns.address'), width: 140, cell: address, text: address },
];

const state = (t: TFunction): Column<Tenant>[] => [
  flagColumn({
    id: 'active',
    header: t('licences.columns.active'),
    width: 98,
    isOn: ({ isActive }) => isActive,
    onText: t('licences.active'),
    offText: t('licences.inactive'),
  }),
  {
    id: 'status',
    header: t('licences.columns.status'),
    width: 122,
    cell: ({ tenantStatus }) => <Badge tone={statusTone(tenantStatus.name)}>{tenantStatus.name}</Badge>,
    text: ({ tenantStatus }) => tenantStatus.name,
  },
  {
    id: 'expiry',
    header: t('licences.columns.expiry'),
    sortKey: 'subscriptionEndDate',
    width: 135,
    cell: ({ subscriptionEndDate }) => <ExpiryDate day={subscriptionEndDate} />,
    text: ({ subscriptionEndDate }) => subscriptionEndDate,
  },
];

/** The columns of the licences, in the order of SPEC §2.12. */
export const licenceColumns = (t: TFunction): Column<Tenant>[] => [...licence(t), ...contact(t), ...state(t)];

/** What the text filter searches in addition to the columns. */
export const licenceTexts =
  (t: TFunction) =>
  ({ phone, subscriptionEndDate }: Tenant): string[] => [
    phone.replace(/\D/g, ''),
    isSubscriptionExpired(subscriptionEndDate) ? t('components.expired') : '',
  ];
