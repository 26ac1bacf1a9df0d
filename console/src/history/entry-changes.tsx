import { type AuditTrailEntry, LIST_FIELDS } from '@apotheca/contract/audit';
import { useTranslation } from 'react-i18next';

/** What an entry of the audit trail says of each field, before and after side by side. */
export function EntryChanges({ changes }: Pick<AuditTrailEntry, 'changes'>) {
  const { t } = useTranslation();
  const fields = Object.entries(changes);
  if (fields.length === 0) return <p className="entry-changes-none">{t('audit.noChanges')}</p>;
  return (
    <div className="entry-changes">
      <table aria-label={t('audit.columns.changes')}>
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            <th scope="col">{t('audit.before')}</th>
            <th scope="col">{t('audit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(([field, change]) => {
            const [before, after] = bothOf(field, change);
            return (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A pair is the value before and after; anything else was not there before. */
function bothOf(field: string, change: unknown): [string, string] {
  const isPair = Array.isArray(change) && change.length === 2 && !LIST_FIELDS.has(field);
  return isPair ? [textOf(change[0]), textOf(change[1])] : ['', textOf(change)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
