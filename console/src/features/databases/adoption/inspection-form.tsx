import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../../components/field/file-drop.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { SendingFile } from '../sending-file.tsx';
import type { useInspection } from './use-inspection.ts';

/** Asks for the archive of a database that is to be adopted. */
export function InspectionForm({
  formId,
  inspection,
}: {
  formId: string;
  inspection: ReturnType<typeof useInspection>;
}) {
  const { t } = useTranslation();
  const { form, file, sent } = inspection;
  if (file && sent !== undefined) return <SendingFile file={file} sent={sent} onCancel={inspection.cancel} />;
  return (
    <form id={formId} className="upload-archive" noValidate onSubmit={inspection.submit}>
      <FileDrop
        label={t('databases.upload.file')}
        text={t('databases.upload.drop')}
        file={file}
        error={inspection.fileError}
        onFile={inspection.setFile}
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
    </form>
  );
}
