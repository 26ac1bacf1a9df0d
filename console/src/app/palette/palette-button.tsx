import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { isMac, PAGE_KEYS } from '../../lib/page-keys.ts';
import { usePalette } from './palette-provider.tsx';

/** The button of the top bar that opens the palette. */
export function PaletteButton() {
  const { t } = useTranslation();
  const { openPalette } = usePalette();
  const [shown, named] = isMac() ? ['⌘', 'Meta'] : ['Ctrl ', 'Control'];
  return (
    <IconButton
      icon={Search}
      label={t('palette.open', { keys: shown + PAGE_KEYS.palette.toUpperCase() })}
      aria-keyshortcuts={`${named}+${PAGE_KEYS.palette.toUpperCase()}`}
      aria-haspopup="dialog"
      onClick={openPalette}
    />
  );
}
