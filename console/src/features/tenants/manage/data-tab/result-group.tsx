import { ChevronDown, type LucideIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ResultGroupProps {
  tone: 'success' | 'warning' | 'danger';
  icon: LucideIcon;
  title: string;
  /** The tables of the group, each with a result in words where there is one. */
  tables: readonly { name: string; label: string; text?: string }[];
}

/** One group of a purge's results; its head opens and closes it. */
export function ResultGroup({ tone, icon: Icon, title, tables }: ResultGroupProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [open, setOpen] = useState(tables.length > 0);
  return (
    <div className={`result-group result-group-${tone}`}>
      <h3>
        <button type="button" aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
          <Icon className="icon" aria-hidden="true" />
          {title} <span className="num">({tables.length})</span>
          <ChevronDown className="icon result-group-chevron" aria-hidden="true" />
        </button>
      </h3>
      <div id={listId} hidden={!open}>
        {tables.length === 0 && <p className="text-muted">{t('tenants.manage.results.none')}</p>}
        <ul>
          {tables.map(({ name, label, text }) => (
            <li key={name}>
              <strong>{label}</strong>
              {text !== undefined && <span className="text-muted">{text}</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
