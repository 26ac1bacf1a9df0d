import { Search } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_KEYS, usePageKey } from '../../lib/page-keys.ts';

interface FilterFieldProps {
  /** Accessible name and placeholder: 'Filter tenants'. */
  label: string;
  value: string;
  /** Called with every key. */
  onChange: (text: string) => void;
  /** Whether the key / focuses this field from anywhere on the page; for one field of a page only. */
  hasKey?: boolean;
  /** For giving it the focus. */
  ref?: RefObject<HTMLInputElement | null>;
}

/** The text filter above a list. */
export function FilterField({ label, value, onChange, hasKey = true, ref }: FilterFieldProps) {
  const { t } = useTranslation();
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  usePageKey('filter', () => input.current?.focus(), hasKey);
  return (
    <div className="filter-field">
      <Search className="icon" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        className="form-control"
        aria-label={label}
        aria-keyshortcuts={hasKey ? PAGE_KEYS.filter : undefined}
        placeholder={label}
        title={hasKey ? t('components.filter.shortcut') : undefined}
        maxLength={256}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hasKey && (
        <span className="key-hint" aria-hidden="true">
          {PAGE_KEYS.filter}
        </span>
      )}
    </div>
  );
}
