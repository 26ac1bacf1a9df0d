import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PAUSE_MS = 200;

interface FilterFieldProps {
  /** Accessible name and placeholder: 'Filter tenants'. */
  label: string;
  value: string;
  /** Called when typing pauses. */
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
  const [text, setText] = useDelayedText(value, onChange);
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
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {hasKey && (
        <span className="key-hint" aria-hidden="true">
          /
        </span>
      )}
    </div>
  );
}

/**
 * The text as typed, passed on after a pause, as browsers refuse to change the address a hundred times in half a
 * minute. A value from elsewhere (the back button, 'Clear filter') replaces it.
 */
function useDelayedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onChange(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return [text, setText] as const;
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
