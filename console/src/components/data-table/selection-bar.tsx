import { Download, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps<Row> {
  /** How many rows are shown. */
  total: number;
  selection: Selection<Row>;
  /** What can be done with the selected rows. */
  actions: ReactNode;
  onExport: () => void;
}

/** Says how many rows match and are selected, and what can be done with them. */
export function SelectionBar<Row>({ total, selection, actions, onExport }: SelectionBarProps<Row>) {
  const { t } = useTranslation();
  const { selected, toggleAll, clear } = selection;
  const bar = useRef<HTMLElement>(null);
  // It takes its height from the rows, and must not cover the one that the keyboard has just ticked. Otherwise it is to be seen itself: in a
  // low window it comes below the end of it.
  useLayoutEffect(() => {
    const row = bar.current?.parentElement?.querySelector('tr:has(:focus-visible)');
    (row ?? bar.current)?.scrollIntoView?.({ block: 'nearest' });
  }, []);
  return (
    <section ref={bar} className="selection-bar" aria-label={t('components.selection.title')}>
      <p role="status">
        {t('components.selection.matching', { count: total })},{' '}
        {t('components.selection.selected', { count: selected.length })}
      </p>
      <div className="selection-actions">
        {selected.length < total && (
          <Button variant="secondary" size="small" onClick={toggleAll}>
            {t('components.selection.all', { count: total })}
          </Button>
        )}
        {actions}
        <Button variant="secondary" size="small" icon={Download} onClick={onExport}>
          {t('components.selection.export')}
        </Button>
        <Button variant="secondary" size="small" icon={X} onClick={clear}>
          {t('components.selection.clear')}
        </Button>
      </div>
    </section>
  );
}
