import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from '../field/text-field.tsx';

interface TypeToConfirmFieldProps extends TextFieldProps {
  /** The text that must be typed, letter by letter. */
  expected: string;
  /** Pasting is refused: the text must be typed. */
  blocksPaste?: boolean;
}

/** A field for a name that must be typed before something is deleted (SPEC §2.9, §2.13). */
export function TypeToConfirmField({ expected, blocksPaste = false, ...props }: TypeToConfirmFieldProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState(false);
  function refuse(event: ClipboardEvent | DragEvent) {
    event.preventDefault();
    setRefused(true);
  }
  return (
    <>
      <p className="type-to-confirm">
        {t('components.typeToConfirm.instruction')} <code>{expected}</code>
      </p>
      <TextField
        {...props}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onPaste={blocksPaste ? refuse : undefined}
        onDrop={blocksPaste ? refuse : undefined}
        onKeyDown={() => setRefused(false)}
      />
      <p className="form-text" role="status">
        {refused && t('components.typeToConfirm.pasteBlocked')}
      </p>
    </>
  );
}
