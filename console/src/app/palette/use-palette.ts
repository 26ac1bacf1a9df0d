import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { selectSession } from '../../session/session-slice.ts';
import { useAppSelector } from '../state/store.ts';
import type { ActionName, Entry, RecordKind } from './entry.ts';
import { useRecent } from './recent.ts';
import { type FoundGroup, search } from './search.ts';
import { useChoices } from './use-choices.ts';
import { useEntries } from './use-entries.ts';

/** Entries of a group, and records to choose one of, that are shown. The rest is found by typing more. */
const MOST = { ofGroup: 6, toPick: 50 };

/** A record of a kind is to be chosen, for this action. */
interface Step {
  pick: RecordKind;
  action: ActionName;
}

export interface PaletteProps {
  /** What was typed while this was loaded. */
  typedBefore: string;
  onClose: () => void;
  /** Opens the sheet of keys. */
  onKeyboard: () => void;
}

/** What is typed into the palette, what is found for it, which entry is active, and what choosing one does. */
export function usePalette({ typedBefore, onClose, onKeyboard }: PaletteProps) {
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

  /** What a key is for: one that comes before what is found is shown counts for what will be. */
  function atKey() {
    if (searched === typed) return { entries, active };
    const next = entriesOf(find(typed));
    return { entries: next, active: next[0] };
  }
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
  return { step, typed, lists, found, entries, active, activate: setActiveId, atKey, show, choose };
}

const entriesOf = (groups: readonly FoundGroup[]): Entry[] =>
  groups.flatMap(({ found }) => found.map(({ entry }) => entry));
