import { type ImportPlan, importPlan } from '@apotheca/contract/imports';
import { useState } from 'react';
import { errorText, showError } from '../api/http/answer-errors.ts';
import { IMPORT_CALLS, type Imported } from '../api/imports.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { useOperation } from '../operations/use-operation.tsx';
import { isApiError, isCancelled } from '../transport/api-error.ts';

/** Where the dialog is. */
type Step =
  | { kind: 'file'; file?: File; error?: string }
  /** `conflict`: the plan has changed since it was shown, and this is the new one. */
  | { kind: 'plan'; plan: ImportPlan; conflict?: string }
  | { kind: 'report'; id?: string };

/** A file is planned, then written by an operation, which goes on when the dialog is closed. */
export function useImport(what: Imported, onClose: () => void) {
  const calls = IMPORT_CALLS[what];
  const [step, setStep] = useState<Step>({ kind: 'file' });
  const [sendFile] = calls.plan.useMutation();
  const { run, isBusy: isReading } = useOneAtATime();
  const operation = useOperation(calls.start, {
    onDone: (_reply, { id }) => setStep({ kind: 'report', id }),
    onRefused: handleRefusal,
    onFinished: () => undefined,
    onClose,
  });

  async function choose(file: File) {
    setStep({ kind: 'file', file });
    const read = await run(() => sendFile({ file, onProgress: () => undefined }));
    if (read?.data) return setStep({ kind: 'plan', plan: read.data });
    const error = read?.error;
    if (error)
      setStep({
        kind: 'file',
        file,
        error: isApiError(error) ? (error.errors?.file?.[0] ?? error.message) : errorText({}),
      });
  }
  function handleRefusal(error: unknown) {
    const { data: changed } = importPlan.safeParse(isApiError(error) ? error.result : undefined);
    if (changed) return setStep({ kind: 'plan', plan: changed, conflict: errorText(error as object) });
    showError(error);
    if (isCancelled(error) && step.kind === 'plan') setStep({ kind: 'report', id: step.plan.id });
  }
  return {
    step,
    isReading,
    isWriting: operation.isBusy,
    progress: operation.progress,
    choose,
    start: ({ id, digest }: ImportPlan) => operation.start({ id, plan: digest }),
    showReport: () => setStep({ kind: 'report' }),
    restart: () => setStep({ kind: 'file' }),
  };
}
