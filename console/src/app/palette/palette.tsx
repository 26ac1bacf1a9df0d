import { ArrowLeft, Search, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { isOneOf } from '../../lib/is-one-of.ts';
import { isPageKey } from '../../lib/page-keys.ts';
import type { Entry } from './entry.ts';
import { PaletteList } from './palette-list.tsx';
import { PaletteNotes } from './palette-notes.tsx';
import { PALETTE_KEYS } from './shortcuts.ts';
import { type PaletteProps, usePalette } from './use-palette.ts';
import './palette.scss';

/** Finds screens, records and actions by a few letters, and goes there or does it (decision 064). */
export function Palette(props: PaletteProps) {
  const { onClose } = props;
  const { t } = useTranslation();
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const palette = usePalette(props);
  const { step, lists, found, active, activate, show, choose } = palette;

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  function handleKeyDown(event: KeyboardEvent) {
    // They mean nothing to the page below.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (isPageKey(event, 'palette')) onClose();
    else if (isOneOf(PALETTE_KEYS.close, event.key)) step ? show(undefined) : onClose();
    else return;
    event.preventDefault();
  }
  const closeByBackdrop = ({ target }: MouseEvent) => target === dialog.current && onClose();
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
          <PaletteField {...{ palette, listId }} />
          <IconButton label={t('palette.close')} icon={X} onClick={onClose} />
        </div>
        <PaletteList id={listId} groups={found} active={active} onActivate={activate} onChoose={choose} />
        <PaletteNotes
          lists={step ? lists.filter(({ kind }) => kind === step.pick) : lists}
          count={found.reduce((sum, { total }) => sum + total, 0)}
          typed={palette.typed.trim()}
        />
      </div>
    </dialog>
  );
}

interface PaletteFieldProps {
  palette: ReturnType<typeof usePalette>;
  /** Id of the list of what is found. */
  listId: string;
}

function PaletteField({
  palette: { step, typed, entries, active, activate, atKey, show, choose },
  listId,
}: PaletteFieldProps) {
  const { t } = useTranslation();
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const now = atKey();
    const next = entryForKey(event.key, now.entries, now.active);
    if (next) activate(next.id);
    else if (isOneOf(PALETTE_KEYS.choose, event.key) && now.active) choose(now.active);
    else if (isOneOf(PALETTE_KEYS.back, event.key) && typed === '' && step) show(undefined);
    else return;
    event.preventDefault();
  }
  const label = step ? t(`palette.pick.${step.pick}`) : t('palette.label');
  return (
    <input
      // Another step is another field: it takes the focus, and is read out anew.
      key={label}
      // biome-ignore lint/a11y/noAutofocus: it stands in a dialog, where the focus goes to it
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
      onKeyDown={handleKey}
    />
  );
}

/** The entry to which a key leads; undefined for any other key. */
function entryForKey(key: string, entries: readonly Entry[], active: Entry | undefined): Entry | undefined {
  const at = active ? entries.indexOf(active) : -1;
  if (isOneOf(PALETTE_KEYS.next, key)) return entries[(at + 1) % entries.length];
  if (isOneOf(PALETTE_KEYS.previous, key)) return entries.at(at - 1);
  if (isOneOf(PALETTE_KEYS.first, key)) return entries[0];
  return isOneOf(PALETTE_KEYS.last, key) ? entries.at(-1) : undefined;
}
