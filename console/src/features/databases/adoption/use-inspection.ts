import type { AdoptionPlan } from '@apotheca/contract/adoptions';
import { sentSha256 } from '@apotheca/contract/backups';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useInspectArchiveMutation } from '../../../api/adoptions.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { applyServerErrors, useZodForm } from '../../../components/form/form.tsx';
import { isApiError } from '../../../transport/api-error.ts';

const inspectionForm = z.object({ sha256: sentSha256 });

/**
 * Sends an archive to be inspected; closing the dialog stops that.
 * @param show the dialog is open: a closed one stays until another one is opened
 * @returns `sent`, the number of bytes sent meanwhile, and `fileError`, what is wrong with the file
 */
export function useInspection(show: boolean, onInspected: (plan: AdoptionPlan) => void) {
  const { t } = useTranslation();
  const form = useZodForm(inspectionForm, { defaultValues: { sha256: '' }, draft: 'inspection' });
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const [sent, setSent] = useState<number>();
  const [inspect] = useInspectArchiveMutation();
  const runningCall = useRef<{ abort: () => void }>(undefined);
  const cancel = () => runningCall.current?.abort();
  useEffect(() => {
    if (show) return () => runningCall.current?.abort();
  }, [show]);

  const requireFile = () => setFileError(file ? undefined : t('databases.upload.fileRequired'));
  async function send({ sha256 }: { sha256: string }) {
    requireFile();
    if (!file) return;
    setSent(0);
    try {
      const call = inspect({ file, sha256, onProgress: setSent });
      runningCall.current = call;
      onInspected(await call.unwrap());
    } catch (error) {
      const errors = showError(error);
      if (errors?.sha256) applyServerErrors(form, errors);
      else if (isApiError(error)) setFileError(error.message);
    } finally {
      setSent(undefined);
    }
  }
  function choose(chosen: File) {
    setFile(chosen);
    setFileError(undefined);
  }
  return { form, file, setFile: choose, fileError, sent, submit: form.handleSubmit(send, requireFile), cancel };
}
