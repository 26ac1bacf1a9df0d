import { type ImportPlan, importPlan } from '@apotheca/contract/imports';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { errorText, failureOf, showError } from '../api/http/answer-errors.ts';
import { IMPORT_CALLS, type Imported } from '../api/imports.ts';
import type { Failure, Retry } from '../components/notice/failure-notice.tsx';
import { useOperation } from '../operations/use-operation.tsx';
import { isApiError, isCancelled } from '../transport/api-error.ts';

/** Where the dialog is. */
type Step =
  | { kind: 'file'; file?: File; error?: string }
  /** `conflict`: the plan has changed since it was shown, and this is the new one. */
  | { kind: 'plan'; plan: ImportPlan; conflict?: string }
  | { kind: 'report'; id?: string };

type Reading = { abort: () => void } | undefined;

interface ImportOptions {
  show: boolean;
  what: Imported;
  /** Id of one that was written, whose report is shown first. */
  report?: string | undefined;
  onClose: () => void;
}

/** A file is planned, which ends when the dialog is closed; then it is written by an operation, which goes on. */
export function useImport({ show, what, report, onClose }: ImportOptions) {
  const calls = IMPORT_CALLS[what];
  const [step, setStep] = useState<Step>(report === undefined ? { kind: 'file' } : { kind: 'report', id: report });
  const [failed, setFailed] = useState<{ failure: Failure; retry: Retry }>();
  const [sendFile, { isLoading: isReading }] = calls.plan.useMutation();
  const reading = useRef<Reading>(undefined);
  const operation = useOperation(calls.start, {
    onDone: (_reply, { id }) => setStep({ kind: 'report', id }),
    onRefused: handleRefusal,
    onFinished: () => undefined,
    onClose,
  });

  useEffect(() => {
    if (show) return () => stopReading(reading);
  }, [show]);

  async function choose(file: File) {
    go({ kind: 'file', file });
    const call = sendFile({ file, onProgress: () => undefined });
    reading.current = call;
    const { data, error } = await call;
    if (reading.current !== call) return;
    if (data) return setStep({ kind: 'plan', plan: data });
    showError(error);
    const refused = isApiError(error) ? error.errors?.file?.[0] : undefined;
    if (refused !== undefined) setStep({ kind: 'file', file, error: refused });
    else setFailed({ failure: failureOf(error), retry: { onClick: () => void choose(file) } });
  }
  function handleRefusal(error: unknown) {
    const { data: changed } = importPlan.safeParse(isApiError(error) ? error.result : undefined);
    if (changed) return setStep({ kind: 'plan', plan: changed, conflict: errorText(error as object) });
    showError(error);
    if (step.kind === 'plan' && !isCancelled(error))
      setFailed({ failure: failureOf(error), retry: { onClick: () => start(step.plan) } });
    if (isCancelled(error) && step.kind === 'plan') setStep({ kind: 'report', id: step.plan.id });
  }
  function start({ id, digest }: ImportPlan) {
    setFailed(undefined);
    return operation.start({ id, plan: digest });
  }
  /** What is chosen now counts: the answer about a file chosen before it would take its place. */
  function go(next: Step) {
    stopReading(reading);
    setFailed(undefined);
    setStep(next);
  }
  return {
    step,
    failed,
    isReading,
    isWriting: operation.isBusy,
    progress: operation.progress,
    choose,
    start,
    showReport: () => go({ kind: 'report' }),
    restart: () => go({ kind: 'file' }),
  };
}

function stopReading(reading: RefObject<Reading>) {
  reading.current?.abort();
  reading.current = undefined;
}
