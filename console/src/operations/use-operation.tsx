import { isEnded } from '@apotheca/contract/operations';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { type ReactNode, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import { type OperationCallsState, operationLeft, selectOperationOfCall } from '../api/http/operation-slice.ts';
import { useCancelOperationMutation, useOperationState } from '../api/operations.ts';
import { notify } from '../components/toast/toast.tsx';
import { useIsGone } from '../lib/use-is-gone.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { type ApiError, isApiError, isCancelled } from '../transport/api-error.ts';
import type { Reply } from '../transport/transport.ts';
import { OperationProgress } from './operation-progress.tsx';

/** A mutation that starts a durable operation, such as `copyDatabase` of `api/databases.ts`. */
export interface OperationMutation<Arg, Result> {
  name: string;
  useMutation: () => readonly [(arg: Arg) => PromiseLike<{ data?: Reply<Result>; error?: unknown }>, unknown];
}

export interface OperationOptions<Arg, Result> {
  /** Tells that the operation has ended well; absent: a toast with the server's message. */
  tell?: (reply: Reply<Result>, arg: Arg) => void;
  /** Takes what came of it, also after the dialog was left: by then another may be open, so what closes it is `onFinished`. */
  onDone?: (reply: Reply<Result>, arg: Arg) => void;
  /** Shows why nothing was done; absent: a toast. After the dialog was closed, or its page left, it is always a toast. */
  onRefused?: (error: unknown) => void;
  /** Called at the end in place of `onClose`, for a dialog that stays open. */
  onFinished?: () => void;
  /** Closes the dialog. The page makes sure that a late call closes no other dialog. */
  onClose: () => void;
}

/**
 * Starts the operation of a dialog, shows its progress, and lets the user cancel it or leave it in the background
 * (DECISIONS §8).
 * @returns `progress`, which replaces the dialog's buttons while the operation runs: `footer={progress ?? buttons}`;
 * `refusal`, why the last attempt failed, unless it was cancelled; `cancellations`, how many attempts were
 */
export function useOperation<Arg, Result>(
  mutation: OperationMutation<Arg, Result>,
  options: OperationOptions<Arg, Result>,
) {
  const { tell = tellMessage, onDone, onRefused = showError, onClose, onFinished = onClose } = options;
  const [send] = mutation.useMutation();
  const { run, isBusy } = useOneAtATime();
  const [refusal, setRefusal] = useState<Partial<ApiError>>();
  const [cancellations, setCancellations] = useState(0);
  const { progress, isLeft } = useProgress(mutation.name, isBusy, onClose);

  async function start(arg: Arg): Promise<void> {
    setRefusal(undefined);
    const outcome = await run(() => send(arg));
    if (!outcome) return;
    if (outcome.data === undefined) return refuse(outcome.error);
    tell(outcome.data, arg);
    onDone?.(outcome.data, arg);
    if (!isLeft()) onFinished();
  }
  function refuse(error: unknown): void {
    if (isCancelled(error)) setCancellations((count) => count + 1);
    else setRefusal(isApiError(error) ? error : {});
    if (isLeft()) showError(error);
    else onRefused(error);
  }
  return { start, isBusy, progress, refusal, cancellations };
}

const tellMessage = ({ message }: Reply) => notify.success(message);

/** @param isBusy the call of this mutation is running */
function useProgress(name: string, isBusy: boolean, onClose: () => void) {
  const id = useSelector((state: OperationCallsState) => selectOperationOfCall(state, name));
  const { data: operation } = useOperationState(isBusy && id !== undefined ? { id } : skipToken);
  const dispatch = useDispatch();
  const [cancel] = useCancelOperationMutation();
  const left = useRef(false);
  const isGone = useIsGone();

  function handleBackground() {
    left.current = true;
    if (id !== undefined) dispatch(operationLeft(id));
    onClose();
  }
  const isRunning = isBusy && operation !== undefined && !isEnded(operation.state);
  const progress: ReactNode | undefined = isRunning ? (
    <OperationProgress
      operation={operation}
      onCancel={() => void cancel({ id: operation.id }).unwrap().catch(showError)}
      onBackground={handleBackground}
    />
  ) : undefined;
  return { progress, isLeft: () => left.current || isGone() };
}
