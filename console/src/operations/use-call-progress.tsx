import { isEnded } from '@apotheca/contract/operations';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { type ReactNode, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import { type OperationCallsState, operationLeft, selectOperationOfCall } from '../api/http/operation-slice.ts';
import { useCancelOperationMutation, useOperationState } from '../api/operations.ts';
import { OperationProgress } from './operation-progress.tsx';

interface CallProgress {
  /** Stands in the place of the dialog's buttons while the operation runs: `footer={progress ?? buttons}`. */
  progress: ReactNode | undefined;
  /** Whether the dialog was left while its call went on: its end is then told by a toast, and nothing else. */
  isInBackground: () => boolean;
}

/**
 * Shows how far the operation is that a dialog's call has started (DECISIONS §8).
 * @param endpoint name of the mutation, such as 'copyDatabase'
 * @param isLoading whether that call is under way
 * @param onClose closes the dialog; the page sees to it that a late end closes no other dialog
 */
export function useCallProgress(endpoint: string, isLoading: boolean, onClose: () => void): CallProgress {
  const id = useSelector((state: OperationCallsState) => selectOperationOfCall(state, endpoint));
  const { data: operation } = useOperationState(isLoading && id !== undefined ? { id } : skipToken);
  const dispatch = useDispatch();
  const [cancel] = useCancelOperationMutation();
  const left = useRef(false);

  function handleBackground() {
    left.current = true;
    if (id !== undefined) dispatch(operationLeft(id));
    onClose();
  }
  const isRunning = isLoading && operation !== undefined && !isEnded(operation.state);
  return {
    progress: isRunning ? (
      <OperationProgress
        operation={operation}
        onCancel={() => void cancel({ id: operation.id }).unwrap().catch(showError)}
        onBackground={handleBackground}
      />
    ) : undefined,
    isInBackground: () => left.current,
  };
}
