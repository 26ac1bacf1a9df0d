import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

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
  useSlashKey(input, hasKey);
  return (
    <div className="filter-field">
      <Search className="icon" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        className="form-control"
        aria-label={label}
        aria-keyshortcuts={hasKey ? '/' : undefined}
        placeholder={label}
        title={hasKey ? t('components.filter.shortcut') : undefined}
        maxLength={256}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hasKey && (
        <span className="key-hint" aria-hidden="true">
          /
        </span>
      )}
    </div>
  );
}

const isTypingIn = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

function useSlashKey(input: RefObject<HTMLInputElement | null>, hasKey: boolean) {
  useEffect(() => {
    if (!hasKey) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere = isTypingIn(event.target) || document.body.classList.contains('modal-open');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input, hasKey]);
}
