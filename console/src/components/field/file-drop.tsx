import { FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { FieldMessages, useField } from './field.tsx';

interface FileDropProps {
  label: string;
  /** Says what to do here, while no file is chosen. */
  text: string;
  file: File | undefined;
  error?: string;
  onFile: (file: File) => void;
}

/** A field for one file: a click opens the browser's chooser, and a file can be dropped on it. */
export function FileDrop({ label, text, file, error, onFile }: FileDropProps) {
  const { control, errorId } = useField({ label, error });
  const [isOver, setOver] = useState(false);

  function take(files: FileList | null) {
    const chosen = files?.item(0);
    if (chosen) onFile(chosen);
  }
  function handleDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  }
  function handleDragOver(event: DragEvent) {
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    setOver(true);
  }
  return (
    <div className="field">
      <label className="form-label" htmlFor={control.id}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the pointer only; the input inside does the same by keyboard */}
      <div
        className={classNames('file-drop', isOver && 'file-drop-over', error !== undefined && 'is-invalid')}
        onDragOver={handleDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <input
          {...control}
          type="file"
          onClick={({ currentTarget }) => {
            // The same file can be chosen again, once it is corrected.
            currentTarget.value = '';
          }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => take(event.target.files)}
        />
        <FileUp className="icon" aria-hidden="true" />
        <span>{file?.name ?? text}</span>
      </div>
      <FieldMessages error={error} errorId={errorId} />
    </div>
  );
}
