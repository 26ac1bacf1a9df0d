import { type AuditTrailEntry, LIST_FIELDS } from '@apotheca/contract/audit';
import { useTranslation } from 'react-i18next';

/** What an entry of the audit trail says of each field, before and after side by side; of what was made, only what it is. */
export function EntryChanges({ changes }: Pick<AuditTrailEntry, 'changes'>) {
  const { t } = useTranslation();
  const fields = Object.entries(changes).map(([field, change]) => ({ field, ...bothOf(field, change) }));
  if (fields.length === 0) return <p className="entry-changes-none">{t('audit.noChanges')}</p>;
  const hasBefore = fields.some(({ before }) => before !== undefined);
  return (
    <div className="entry-changes">
      <table aria-label={t('audit.columns.changes')}>
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            {hasBefore && <th scope="col">{t('audit.before')}</th>}
            <th scope="col">{t('audit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {hasBefore && <td>{before}</td>}
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A pair is the value before and after; anything else was not there before. */
function bothOf(field: string, change: unknown): { before?: string; after: string } {
  const isPair = Array.isArray(change) && change.length === 2 && !LIST_FIELDS.has(field);
  return isPair ? { before: textOf(change[0]), after: textOf(change[1]) } : { after: textOf(change) };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
