import { ArrowLeft, Search, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { isOneOf } from '../../lib/is-one-of.ts';
import { isPageKey } from '../../lib/page-keys.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useAppSelector } from '../state/store.ts';
import type { ActionName, Entry, RecordKind } from './entry.ts';
import { PaletteList } from './palette-list.tsx';
import { PaletteNotes } from './palette-notes.tsx';
import { useRecent } from './recent.ts';
import { type FoundGroup, search } from './search.ts';
import { PALETTE_KEYS } from './shortcuts.ts';
import { useChoices } from './use-choices.ts';
import { useEntries } from './use-entries.ts';
import './palette.scss';

/** Entries of a group, and records to choose one of, that are shown. The rest is found by typing more. */
const MOST = { ofGroup: 6, toPick: 50 };

/** A record of a kind is to be chosen, for this action. */
interface Step {
  pick: RecordKind;
  action: ActionName;
}

interface PaletteProps {
  /** What was typed while this was loaded. */
  typedBefore: string;
  onClose: () => void;
  /** Opens the sheet of keys. */
  onKeyboard: () => void;
}

/** Finds screens, records and actions by a few letters, and goes there or does it (decision 064). */
export function Palette({ typedBefore, onClose, onKeyboard }: PaletteProps) {
  const { t } = useTranslation();
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { id: user } = useAppSelector(selectSession);
  const { groups, lists } = useEntries();
  const [recent, note] = useRecent(user);
  const [step, setStep] = useState<Step>();
  const [typed, setTyped] = useState(typedBefore);
  const [activeId, setActiveId] = useState<string>();
  const make = useChoices(onKeyboard);
  const find = useCallback(
    (typed: string) => {
      const searched = step ? groups.filter(({ group }) => group === step.pick) : groups;
      return search(searched, { typed, recent, most: step ? MOST.toPick : MOST.ofGroup, showsAll: step !== undefined });
    },
    [groups, recent, step],
  );
  // The field shows a key at once, and what is found comes after that frame.
  const searched = useDeferredValue(typed);
  const found = useMemo(() => find(searched), [find, searched]);
  const entries = entriesOf(found);
  const active = entries.find(({ id }) => id === activeId) ?? entries[0];

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  function show(next: Step | undefined, text = '') {
    setStep(next);
    setTyped(text);
    setActiveId(undefined);
  }
  function choose(entry: Entry) {
    // It says why.
    if (entry.refusal !== undefined) return;
    const choice = entry.choose(step?.action);
    if (!('command' in choice && choice.command === 'signOut'))
      note(step ? `actions:${step.action}+${entry.id}` : entry.id);
    if ('pick' in choice) return show(choice);
    // The focus is back where it was before anything else takes it.
    flushSync(onClose);
    make(choice);
  }
  function handleKeyDown(event: KeyboardEvent) {
    // They mean nothing to the page below.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (isPageKey(event, 'palette')) onClose();
    else if (isOneOf(PALETTE_KEYS.close, event.key)) step ? show(undefined) : onClose();
    else return;
    event.preventDefault();
  }
  function handleFieldKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    // A key that comes before what is found is shown counts for what will be.
    const isShown = searched === typed;
    const now = isShown ? entries : entriesOf(find(typed));
    const at = isShown ? active : now[0];
    const next = entryForKey(event.key, now, at);
    if (next) setActiveId(next.id);
    else if (isOneOf(PALETTE_KEYS.choose, event.key) && at) choose(at);
    else if (isOneOf(PALETTE_KEYS.back, event.key) && typed === '' && step) show(undefined);
    else return;
    event.preventDefault();
  }
  const closeByBackdrop = ({ target }: MouseEvent) => target === dialog.current && onClose();
  const label = step ? t(`palette.pick.${step.pick}`) : t('palette.label');
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette.title')}
      onKeyDown={handleKeyDown}
      onClick={closeByBackdrop}
      onCancel={onClose}
    >
      <div className="palette-box">
        <div className="palette-head">
          {step ? (
            <>
              <IconButton label={t('palette.back')} icon={ArrowLeft} onClick={() => show(undefined)} />
              <span className="palette-step">{t(`palette.actions.${step.action}`)}</span>
            </>
          ) : (
            <Search className="icon" aria-hidden="true" />
          )}
          <input
            // Another step is another field: it takes the focus, and is read out anew.
            key={label}
            autoFocus
            role="combobox"
            aria-label={label}
            aria-autocomplete="list"
            aria-expanded={entries.length > 0}
            aria-controls={entries.length > 0 ? listId : undefined}
            aria-activedescendant={active && listId + active.id}
            autoComplete="off"
            spellCheck={false}
            maxLength={256}
            placeholder={label}
            value={typed}
            onChange={({ target }) => show(step, target.value)}
            onKeyDown={handleFieldKey}
          />
          <IconButton label={t('palette.close')} icon={X} onClick={onClose} />
        </div>
        <PaletteList id={listId} groups={found} active={active} onActivate={setActiveId} onChoose={choose} />
        <PaletteNotes
          lists={step ? lists.filter(({ kind }) => kind === step.pick) : lists}
          count={found.reduce((sum, { total }) => sum + total, 0)}
          typed={typed.trim()}
        />
      </div>
    </dialog>
  );
}

const entriesOf = (groups: readonly FoundGroup[]): Entry[] =>
  groups.flatMap(({ found }) => found.map(({ entry }) => entry));

/** The entry to which a key leads; undefined for any other key. */
function entryForKey(key: string, entries: readonly Entry[], active: Entry | undefined): Entry | undefined {
  const at = active ? entries.indexOf(active) : -1;
  if (isOneOf(PALETTE_KEYS.next, key)) return entries[(at + 1) % entries.length];
  if (isOneOf(PALETTE_KEYS.previous, key)) return entries.at(at - 1);
  if (isOneOf(PALETTE_KEYS.first, key)) return entries[0];
  return isOneOf(PALETTE_KEYS.last, key) ? entries.at(-1) : undefined;
}
