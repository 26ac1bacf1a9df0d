import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { ArchiveFields } from '../archive-fields.tsx';
import { SendingFile } from '../sending-file.tsx';
import { type UploadOptions, useUploadArchive } from './use-upload-archive.ts';

/** Uploads an archive under a name for the list. */
export function UploadArchive(options: UploadOptions) {
  const { t } = useTranslation();
  const upload = useUploadArchive(options);
  const { form, file, sent } = upload;
  if (file && sent !== undefined) return <SendingFile file={file} sent={sent} onCancel={upload.cancel} />;
  return (
    <form className="upload-archive" noValidate onSubmit={upload.submit}>
      <ArchiveFields
        archive={{ file, error: upload.fileError, onFile: upload.setFile }}
        sha256={{ ...form.register('sha256'), error: fieldError(form, 'sha256') }}
      >
        <UpperCaseField
          {...form.register('databaseName')}
          label={t('databases.upload.name')}
          hint={t('databases.upload.nameHint')}
          error={fieldError(form, 'databaseName')}
          className="field-code"
          required
        />
      </ArchiveFields>
      <Button type="submit" variant="secondary">
        {t('databases.upload.send')}
      </Button>
    </form>
  );
}
