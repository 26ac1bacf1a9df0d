import { typedHref } from '@apotheca/contract/rich-text';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import { OneFieldBar } from './one-field-bar.tsx';

interface LinkBarProps {
  /** The address of the link at the caret; empty where there is none. */
  href: string;
  /** @param text the text of the link where nothing is selected */
  onApply: (href: string, text: string) => void;
  /** Absent where there is no link to remove. */
  onRemove: (() => void) | undefined;
  onClose: () => void;
}

/** The field for the address of a link, under the toolbar. */
export function LinkBar({ href, onApply, onRemove, onClose }: LinkBarProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const [initial] = useState(href === 'about:blank' ? '' : href);
  const [typed, setTyped] = useState(initial);
  const address = typed.trim();
  const stored = typedHref(address);
  const isRefused = address !== '' && stored === 'about:blank';
  return (
    <OneFieldBar
      title={t('components.richText.link.title')}
      label={t('components.richText.link.address')}
      field={{
        // Not of type url: relative addresses are allowed.
        inputMode: 'url',
        'aria-describedby': isRefused ? hintId : undefined,
        placeholder: 'https://',
        value: typed,
      }}
      onType={setTyped}
      applyText={t('components.richText.link.apply')}
      isReady={address !== ''}
      isUnapplied={address !== '' && address !== initial}
      onApply={() => onApply(stored, isRefused ? stored : address)}
      buttons={
        onRemove && (
          <Button variant="secondary" size="small" onClick={onRemove}>
            {t('components.richText.link.remove')}
          </Button>
        )
      }
      hint={isRefused && t('components.richText.link.refused')}
      {...{ hintId, onClose }}
    />
  );
}
