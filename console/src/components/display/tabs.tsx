import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
}

interface TabsProps {
  /** Accessible name of the row of tabs. */
  label: string;
  tabs: readonly Tab[];
  /** The open tab; absent: the tabs keep it themselves, starting with the first. */
  selected?: string;
  onSelect?: (id: string) => void;
}

const KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Tabs with their panels. A panel is drawn when first opened and stays mounted, so that what was ticked in it stays.
 */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const baseId = useId();
  const [ownSelected, setOwnSelected] = useState(tabs[0]?.id);
  const current = selected ?? ownSelected;
  const [visited, setVisited] = useState<readonly (string | undefined)[]>([current]);
  if (!visited.includes(current)) setVisited([...visited, current]);

  function select(id: string) {
    setOwnSelected(id);
    onSelect?.(id);
  }
  function handleKeyDown(event: KeyboardEvent) {
    const index = tabs.findIndex((tab) => tab.id === current);
    const step = KEY_STEPS[event.key];
    const ends: Record<string, Tab | undefined> = { Home: tabs[0], End: tabs.at(-1) };
    const next = step === undefined ? ends[event.key] : tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    select(next.id);
    document.getElementById(`${baseId}-tab-${next.id}`)?.focus();
  }
  return (
    <>
      <div role="tablist" aria-label={label} className="tabs" onKeyDown={handleKeyDown}>
        {tabs.map(({ id, label: tabLabel }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${baseId}-tab-${id}`}
            aria-selected={id === current}
            aria-controls={visited.includes(id) ? `${baseId}-panel-${id}` : undefined}
            tabIndex={id === current ? 0 : -1}
            className={classNames('tab', id === current && 'active')}
            onClick={() => select(id)}
          >
            {tabLabel}
          </button>
        ))}
      </div>
      {tabs
        .filter(({ id }) => visited.includes(id))
        .map(({ id, panel }) => (
          <div
            key={id}
            role="tabpanel"
            id={`${baseId}-panel-${id}`}
            aria-labelledby={`${baseId}-tab-${id}`}
            className="tab-panel"
            hidden={id !== current}
          >
            {panel}
          </div>
        ))}
    </>
  );
}
