import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import { useUnapplied } from '../form/unapplied.ts';

interface OneFieldBarProps {
  /** Name of the group. */
  title: string;
  /** Name of the field. */
  label: string;
  field: Omit<ComponentProps<'input'>, 'className' | 'onChange'>;
  onType: (text: string) => void;
  applyText: string;
  isReady: boolean;
  /** Something is typed or chosen that is not in the text yet: the form waits for it. */
  isUnapplied: boolean;
  onApply: () => void;
  onClose: () => void;
  /** More buttons, before Cancel. */
  buttons?: ReactNode;
  /** What is wrong, or under way. */
  hint: ReactNode;
  hintId?: string;
}

/** A field with its buttons under the toolbar: Enter applies it, Escape closes it. */
export function OneFieldBar(props: OneFieldBarProps) {
  const { title, label, field, onType, applyText, isReady, isUnapplied, onApply, onClose, buttons, hint, hintId } =
    props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const isStopped = useUnapplied(isUnapplied, input);

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter and Escape here must not reach the form or the dialog.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else if (event.target instanceof HTMLInputElement && isReady) onApply();
    else if (event.target instanceof HTMLButtonElement) event.target.click();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own into the form.
    <div className="rich-text-link" role="group" aria-label={title} onKeyDown={handleKeyDown}>
      <input
        ref={input}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: whoever asked for this goes on by typing.
        autoFocus
        aria-label={label}
        {...field}
        className="form-control"
        onChange={(event) => onType(event.target.value)}
      />
      <Button size="small" disabled={!isReady} onClick={onApply}>
        {applyText}
      </Button>
      {buttons}
      <Button variant="secondary" size="small" onClick={onClose}>
        {t('components.cancel')}
      </Button>
      <span id={hintId} className="rich-text-link-hint" role="status">
        {hint} {isStopped && t('components.richText.notApplied', { apply: applyText, cancel: t('components.cancel') })}
      </span>
    </div>
  );
}
