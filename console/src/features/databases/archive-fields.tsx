import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../components/field/file-drop.tsx';
import { TextField } from '../../components/field/text-field.tsx';

interface ArchiveFieldsProps {
  archive: Omit<ComponentProps<typeof FileDrop>, 'label' | 'text'>;
  /** The field of its checksum. */
  sha256: Omit<ComponentProps<typeof TextField>, 'label'>;
  /** Fields between the two. */
  children?: ReactNode;
}

/** Asks for an archive of pg_dump, and for its SHA-256 if there is one. */
export function ArchiveFields({ archive, sha256, children }: ArchiveFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <FileDrop label={t('databases.upload.file')} text={t('databases.upload.drop')} {...archive} />
      {children}
      <TextField
        label={t('databases.upload.sha256')}
        hint={t('databases.upload.sha256Hint')}
        className="field-code"
        autoComplete="off"
        spellCheck={false}
        {...sha256}
      />
    </>
  );
}
