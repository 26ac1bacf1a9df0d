import { type Backup, uploadArchiveForm } from '@apotheca/contract/backups';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useUploadBackupMutation } from '../../../api/backups.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { applyServerErrors, useZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { isApiError } from '../../../transport/api-error.ts';
import { databaseNameOfFile } from './database-name-of-file.ts';

export interface UploadOptions {
  onUploaded: (backup: Backup) => void;
  onUploadingChange: (isUploading: boolean) => void;
  /** Is told whether something is typed or chosen that is not uploaded. It stays the same function. */
  onDirtyChange: (isDirty: boolean) => void;
}

/**
 * Uploads an archive; closing the dialog stops the upload.
 * @returns `sent`, the number of bytes sent during the upload, and `fileError`, what is wrong with the file
 */
export function useUploadArchive({ onUploaded, onUploadingChange, onDirtyChange }: UploadOptions) {
  const { t } = useTranslation();
  const form = useZodForm(uploadArchiveForm, { defaultValues: { databaseName: '', sha256: '' }, draft: 'upload' });
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const [sent, setSent] = useState<number>();
  const [upload] = useUploadBackupMutation();
  const runningCall = useRef<{ abort: () => void }>(undefined);
  const cancel = () => runningCall.current?.abort();
  useEffect(() => () => runningCall.current?.abort(), []);
  const isDirty = form.formState.isDirty || file !== undefined;
  useEffect(() => onDirtyChange(isDirty), [onDirtyChange, isDirty]);

  function handleFile(chosen: File) {
    setFile(chosen);
    setFileError(undefined);
    if (!form.formState.dirtyFields.databaseName) form.setValue('databaseName', databaseNameOfFile(chosen.name));
  }
  function requireFile() {
    if (!file) setFileError(t('databases.upload.fileRequired'));
  }
  async function send(described: z.infer<typeof uploadArchiveForm>) {
    if (!file) return requireFile();
    setFileError(undefined);
    setSent(0);
    onUploadingChange(true);
    try {
      const call = upload({ file, ...described, onProgress: setSent });
      runningCall.current = call;
      const { result } = await call.unwrap();
      notify.success(t('databases.upload.done', { name: result.databaseName }));
      form.reset();
      setFile(undefined);
      onUploaded(result);
    } catch (error) {
      handleRefusal(error);
    } finally {
      setSent(undefined);
      onUploadingChange(false);
    }
  }
  /** A message about neither name nor digest is about the file. */
  function handleRefusal(error: unknown) {
    const errors = showError(error);
    if (errors?.databaseName || errors?.sha256) applyServerErrors(form, errors);
    else if (isApiError(error)) setFileError(error.message);
  }
  return { form, file, setFile: handleFile, fileError, sent, submit: form.handleSubmit(send, requireFile), cancel };
}
