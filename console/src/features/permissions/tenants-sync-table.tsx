import type { TenantsSync } from '@apotheca/contract/permissions';
import type { TFunction } from 'i18next';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { formatCount } from '../../lib/numbers.ts';
import { messageText } from '../../locales/messages.ts';

type TenantSync = TenantsSync['tenants'][number];

const idOf = ({ tenantId }: TenantSync) => tenantId;

/** The result of a sync of all tenants, one row per tenant. */
export function TenantsSyncTable({ tenants }: { tenants: TenantSync[] }) {
  const { t } = useTranslation();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      label={t('permissions.sync.result')}
      columns={columns}
      rows={tenants}
      rowKey={idOf}
      isLoading={false}
      emptyText={t('permissions.sync.noTenants')}
      emptyHint={t('permissions.sync.noTenantsHint')}
    />
  );
}

const columnsOf = (t: TFunction): Column<TenantSync>[] => {
  const outcomeText = ({ problem }: TenantSync) => messageText(problem ?? '') || t('permissions.sync.done');
  const countOf = (outcome: 'added' | 'changed' | 'removed' | 'kept') => {
    const text = ({ sync }: TenantSync) => {
      const count = sync?.[outcome];
      return count === undefined ? '–' : formatCount(typeof count === 'number' ? count : count.length);
    };
    return {
      id: outcome,
      header: t(`components.sync.counts.${outcome}`),
      width: 90,
      align: 'end' as const,
      cell: (row: TenantSync) => <span className="num">{text(row)}</span>,
      text,
    };
  };
  return [
    {
      id: 'tenant',
      header: t('permissions.sync.tenant'),
      width: 130,
      pinned: true,
      cell: ({ tenantCode }) => <span className="code">{tenantCode}</span>,
      text: ({ tenantCode }) => tenantCode,
    },
    {
      id: 'outcome',
      header: t('permissions.sync.outcome'),
      width: 210,
      cell: (row) => (row.problem === undefined ? outcomeText(row) : <Problem text={outcomeText(row)} />),
      text: outcomeText,
    },
    countOf('added'),
    countOf('changed'),
    countOf('removed'),
    countOf('kept'),
  ];
};

function Problem({ text }: { text: string }) {
  return (
    <span className="sync-problem">
      <TriangleAlert className="icon" aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}
