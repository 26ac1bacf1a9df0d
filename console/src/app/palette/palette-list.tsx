import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import type { Entry } from './entry.ts';
import type { Found, FoundGroup } from './search.ts';

interface PaletteListProps {
  id: string;
  groups: readonly FoundGroup[];
  active: Entry | undefined;
  onActivate: (id: string) => void;
  onChoose: (entry: Entry) => void;
}

/** The list of what was found, by groups. The focus stays in the field, which names the active option. */
export function PaletteList({ id, groups, active, onActivate, onChoose }: PaletteListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  useEffect(() => {
    const option = activeId === undefined ? null : document.getElementById(id + activeId);
    // The heading of the first group comes into sight with its first entry.
    const isFirst = list.current?.querySelector('[role="option"]') === option;
    if (isFirst) list.current?.scrollTo?.({ top: 0 });
    else option?.scrollIntoView?.({ block: 'nearest' });
  }, [id, activeId]);
  if (groups.length === 0) return null;
  return (
    <div ref={list} id={id} className="palette-list" role="listbox" aria-label={t('palette.title')} tabIndex={-1}>
      {groups.map(({ group, found, total }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has groups, no field sets
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className="palette-heading" role="presentation">
            <span>{t(`palette.groups.${group}`)}</span>
            {total > found.length && <span>{t('palette.shown', { shown: found.length, total })}</span>}
          </div>
          {found.map((one) => (
            <Option
              key={one.entry.id}
              id={id + one.entry.id}
              found={one}
              isActive={one.entry === active}
              onActivate={() => onActivate(one.entry.id)}
              onChoose={() => onChoose(one.entry)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  found: Found;
  isActive: boolean;
  onActivate: () => void;
  onChoose: () => void;
}

function Option({ id, found, isActive, onActivate, onChoose }: OptionProps) {
  const { icon: Icon, title, refusal } = found.entry;
  const detail = refusal ?? found.entry.detail;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the active option
    <div
      id={id}
      role="option"
      className={classNames('palette-option', isActive && 'active')}
      aria-selected={isActive}
      aria-disabled={refusal === undefined ? undefined : true}
      onPointerMove={isActive ? undefined : onActivate}
      onClick={onChoose}
    >
      <Icon className="icon" aria-hidden="true" />
      <span className="palette-texts">
        <span className="palette-name">
          <Marked text={title} from={0} matching={found.matching} />
        </span>
        {detail !== '' && (
          <span className="palette-detail">
            <Marked text={detail} from={title.length + 1} matching={refusal === undefined ? found.matching : []} />
          </span>
        )}
      </span>
    </div>
  );
}

interface MarkedProps {
  text: string;
  /** Where it begins in the searched text. */
  from: number;
  matching: readonly number[];
}

/** A text with the letters marked that were typed. */
function Marked({ text, from, matching }: MarkedProps): ReactNode {
  const typed = new Set(matching);
  const parts: { at: number; letters: string; isTyped: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const isTyped = typed.has(from + at);
    const last = parts.at(-1);
    if (last?.isTyped === isTyped) last.letters += text[at];
    else parts.push({ at, letters: text[at] ?? '', isTyped });
  }
  return parts.map(({ at, letters, isTyped }) => (isTyped ? <mark key={at}>{letters}</mark> : letters));
}
