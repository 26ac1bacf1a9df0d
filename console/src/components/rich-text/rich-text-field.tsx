import { type FocusEvent, type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../button/button.tsx';
import { FieldMessages, type FieldProps, useField } from '../field/field.tsx';
import { Notice } from '../notice/notice.tsx';
import type { UploadPicture } from './rich-text-control.ts';

interface RichTextFieldProps extends FieldProps {
  value: string;
  onChange: (html: string) => void;
  /** The focus has left both text and toolbar. */
  onBlur: () => void;
  ref?: Ref<{ focus: () => void }>;
  placeholder?: string;
  /** Stores pictures; absent: the text has none. */
  uploadPicture?: UploadPicture;
  /** Shows the asterisk of a required field, although the field may stay empty. */
  isMarked?: boolean;
  className?: string;
}

const useEditorPart = lazyPart(async () => (await import('./rich-text-editor.tsx')).RichTextEditor);

/**
 * A field of rich text; its editor is loaded when one is first shown.
 * @example <RichTextField label=… error={fieldError(form, 'overview')} {...useController({ control, name: 'overview' }).field} />
 */
export function RichTextField({ label, error, required, hint, className, onBlur, ...rest }: RichTextFieldProps) {
  const { value, onChange, ref, placeholder, uploadPicture, isMarked = required } = rest;
  const labelId = useId();
  const { control: attributes, errorId, hintId } = useField({ label, error, required, hint });
  const { value: RichTextEditor, isError, retry } = useEditorPart();

  function handleBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onBlur();
  }
  return (
    <div className={classNames('field', className)}>
      <div className="field-label">
        <span className="form-label" id={labelId}>
          {label}
        </span>
        {isMarked && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own into the form. */}
      <div
        role="group"
        aria-labelledby={labelId}
        className={classNames('rich-text-editor', error !== undefined && 'is-invalid')}
        onBlur={handleBlur}
      >
        {RichTextEditor && (
          <RichTextEditor {...{ value, onChange, ref, placeholder, uploadPicture }} {...attributes} labelId={labelId} />
        )}
        {!RichTextEditor && (isError ? <LoadFailed onRetry={retry} /> : <EditorSkeleton />)}
      </div>
      <FieldMessages error={error} errorId={errorId} hint={hint} hintId={hintId} />
    </div>
  );
}

/** As high as an editor, so that the form does not move when the editor is loaded. */
function EditorSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="rich-text-skeleton" role="status" aria-label={t('components.richText.loading')}>
      <span className="skeleton" />
    </div>
  );
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  const retry = (
    <Button variant="secondary" size="small" onClick={onRetry}>
      {t('components.retry')}
    </Button>
  );
  return (
    <div className="rich-text-skeleton">
      <Notice tone="danger" role="alert" action={retry}>
        {t('components.richText.loadFailed')}
      </Notice>
    </div>
  );
}
