import { fieldError } from '../../../components/form/form.tsx';
import { ArchiveFields } from '../archive-fields.tsx';
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
  const { form, file, sent } = inspection;
  if (file && sent !== undefined) return <SendingFile file={file} sent={sent} onCancel={inspection.cancel} />;
  return (
    <form id={formId} className="upload-archive" noValidate onSubmit={inspection.submit}>
      <ArchiveFields
        archive={{ file, error: inspection.fileError, onFile: inspection.setFile }}
        sha256={{ ...form.register('sha256'), error: fieldError(form, 'sha256') }}
      />
    </form>
  );
}
