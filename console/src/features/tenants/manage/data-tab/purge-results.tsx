import { labelOfTable } from '@apotheca/contract/tenant-tables';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../lib/numbers.ts';
import { messageText } from '../../../../locales/messages.ts';
import { ResultGroup } from './result-group.tsx';
import type { Purged } from './use-data-tab.ts';

/** The result for each ticked table, in the three groups of SPEC §2.8. */
export function PurgeResults({ purged }: { purged: Purged }) {
  const { t } = useTranslation();
  const { plan, result } = purged;
  const section = useRef<HTMLElement>(null);
  // The checklist is long: without this the outcome may lie above what is on the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown anew for each purge.
  useEffect(() => {
    section.current?.scrollIntoView?.({ block: 'nearest' });
  }, [purged]);
  const rowsOf = (name: string) => plan.tables.find((table) => table.name === name)?.rows;
  const reasonOf = (name: string) =>
    messageText(plan.tablesNotDeleted.find((table) => table.name === name)?.reason ?? '');
  const deleted = result.deletedTables.map((name) => {
    const rows = rowsOf(name);
    return {
      name,
      label: labelOfTable(name),
      text: rows === undefined ? undefined : t('tenants.manage.results.rows', { count: rows, rows: formatCount(rows) }),
    };
  });
  const invalid = result.invalidTables.map((name) => ({
    name,
    label: name,
    text: t('tenants.manage.results.noTable'),
  }));
  const kept = result.tablesNotDeleted.map((name) => ({ name, label: labelOfTable(name), text: reasonOf(name) }));
  return (
    <section ref={section} className="result-groups" aria-label={t('tenants.manage.results.title')}>
      <ResultGroup tone="success" icon={CircleCheck} title={t('tenants.manage.results.deleted')} tables={deleted} />
      <ResultGroup tone="warning" icon={TriangleAlert} title={t('tenants.manage.results.invalid')} tables={invalid} />
      <ResultGroup tone="danger" icon={CircleX} title={t('tenants.manage.results.notDeleted')} tables={kept} />
    </section>
  );
}
