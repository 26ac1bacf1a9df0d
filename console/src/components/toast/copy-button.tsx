import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button/icon-button.tsx';
import { notify } from './toast.tsx';

interface CopyButtonProps {
  /** The text for the clipboard. */
  text: string;
  /** The accessible name and the tooltip. */
  label: string;
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  async function handleClick() {
    try {
      // The clipboard API is absent on pages loaded over plain HTTP from another machine.
      await navigator.clipboard.writeText(text);
      notify.success(t('components.copy.done'));
    } catch {
      notify.error(t('components.copy.failed'));
    }
  }
  return <IconButton icon={Copy} label={label} onClick={handleClick} />;
}
