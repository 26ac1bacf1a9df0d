import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../components/toast/toast.tsx';
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
  const giveUp = useEffectEvent(() => {
    notify.error(t('palette.notLoaded'));
    handlers.onClose();
  });
  useEffect(() => {
    if (isError) giveUp();
  }, [isError]);
  return Part && <Part {...handlers} />;
}
