import { typedHref } from '@apotheca/contract/rich-text';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';

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
  const [typed, setTyped] = useState(href === 'about:blank' ? '' : href);
  const address = typed.trim();
  const stored = typedHref(address);
  const isRefused = address !== '' && stored === 'about:blank';
  const apply = () => onApply(stored, isRefused ? stored : address);

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter and Escape here must not reach the form or the dialog.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else if (event.target instanceof HTMLInputElement && address !== '') apply();
    else if (event.target instanceof HTMLButtonElement) event.target.click();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own into the form.
    <div
      className="rich-text-link"
      role="group"
      aria-label={t('components.richText.link.title')}
      onKeyDown={handleKeyDown}
    >
      <input
        className="form-control"
        // Not of type url: relative addresses are allowed.
        inputMode="url"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: whoever asked for a link goes on by typing its address.
        autoFocus
        aria-label={t('components.richText.link.address')}
        aria-describedby={isRefused ? hintId : undefined}
        placeholder="https://"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button size="small" disabled={address === ''} onClick={apply}>
        {t('components.richText.link.apply')}
      </Button>
      {onRemove && (
        <Button variant="secondary" size="small" onClick={onRemove}>
          {t('components.richText.link.remove')}
        </Button>
      )}
      <Button variant="secondary" size="small" onClick={onClose}>
        {t('components.cancel')}
      </Button>
      <span id={hintId} className="rich-text-link-hint" role="status">
        {isRefused && t('components.richText.link.refused')}
      </span>
    </div>
  );
}
