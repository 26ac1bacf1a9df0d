import type { Backup } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { FileDrop } from '../../../components/field/file-drop.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { SendingFile } from '../sending-file.tsx';
import { useUploadArchive } from './use-upload-archive.ts';

interface UploadArchiveProps {
  onUploaded: (backup: Backup) => void;
  onUploadingChange: (isUploading: boolean) => void;
}

/** Uploads an archive under a name for the list. */
export function UploadArchive({ onUploaded, onUploadingChange }: UploadArchiveProps) {
  const { t } = useTranslation();
  const upload = useUploadArchive({ onUploaded, onUploadingChange });
  const { form, file, sent } = upload;
  if (file && sent !== undefined) return <SendingFile file={file} sent={sent} onCancel={upload.cancel} />;
  return (
    <form className="upload-archive" noValidate onSubmit={upload.submit}>
      <FileDrop
        label={t('databases.upload.file')}
        text={t('databases.upload.drop')}
        file={file}
        error={upload.fileError}
        onFile={upload.setFile}
      />
      <UpperCaseField
        {...form.register('databaseName')}
        label={t('databases.upload.name')}
        hint={t('databases.upload.nameHint')}
        error={fieldError(form, 'databaseName')}
        className="field-code"
        required
      />
      <TextField
        {...form.register('sha256')}
        label={t('databases.upload.sha256')}
        hint={t('databases.upload.sha256Hint')}
        error={fieldError(form, 'sha256')}
        className="field-code"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="secondary">
        {t('databases.upload.send')}
      </Button>
    </form>
  );
}
