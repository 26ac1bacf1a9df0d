import { createContext, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotLoaded } from '../../components/toast/use-not-loaded.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { usePageKey } from '../../lib/page-keys.ts';

const PARTS = {
  palette: lazyPart(async () => (await import('./palette.tsx')).Palette),
  keyboard: lazyPart(async () => (await import('./keyboard-sheet.tsx')).KeyboardSheet),
};

interface PaletteCommands {
  openPalette: () => void;
  /** Opens the sheet of keys. */
  openKeyboard: () => void;
}

const nothing = () => undefined;
const PaletteContext = createContext<PaletteCommands>({ openPalette: nothing, openKeyboard: nothing });

/** Opens the palette and the sheet of keys. */
export const usePalette = (): PaletteCommands => useContext(PaletteContext);

/** Has the palette and the sheet of keys, whose code is loaded once they are opened: by their keys, or by {@link usePalette}. */
export function PaletteProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<'none' | keyof typeof PARTS>('none');
  const commands = useMemo(
    () => ({ openPalette: () => setOpen('palette'), openKeyboard: () => setOpen('keyboard') }),
    [],
  );
  usePageKey('palette', commands.openPalette);
  usePageKey('keyboard', commands.openKeyboard);
  return (
    <PaletteContext value={commands}>
      {children}
      {open !== 'none' && (
        <Opened key={open} part={open} onClose={() => setOpen('none')} onKeyboard={commands.openKeyboard} />
      )}
    </PaletteContext>
  );
}

interface OpenedProps {
  part: keyof typeof PARTS;
  onClose: () => void;
  onKeyboard: () => void;
}

function Opened({ part, ...handlers }: OpenedProps) {
  const { t } = useTranslation();
  const { value: Part, isError } = PARTS[part]();
  useNotLoaded(isError, t('palette.notLoaded'), handlers.onClose);
  const typedBefore = useTypedMeanwhile(!Part, handlers.onClose);
  return Part && <Part {...handlers} typedBefore={typedBefore} />;
}

/** What is typed while the code is loaded: it must not be lost, nor reach the page. Escape gives up. */
function useTypedMeanwhile(isLoading: boolean, onGiveUp: () => void): string {
  const [typed, setTyped] = useState('');
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') onGiveUp();
    else if (key === 'Backspace') setTyped((text) => text.slice(0, -1));
    else if ([...key].length === 1) setTyped((text) => text + key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Ends with the frame that shows the field, so that no key is taken twice or not at all.
  useLayoutEffect(() => {
    if (!isLoading) return;
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener('keydown', listener, true);
    return () => document.removeEventListener('keydown', listener, true);
  }, [isLoading]);
  return typed;
}
