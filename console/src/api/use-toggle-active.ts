import { useCallback, useRef } from 'react';
import { useSelector } from 'react-redux';
import { notify } from '../components/toast.tsx';
import { showError } from './answer-errors.ts';
import { selectSession } from './session-slice.ts';

/** Starts a mutation, as its hook gives it. */
type Send = (query: { id: string; updatedBy: string }) => { unwrap: () => Promise<unknown> };

interface ToggleActive {
  activate: Send;
  deactivate: Send;
  activatedText: string;
  deactivatedText: string;
}

/** Activates an inactive record and the other way round (SPEC §4); one under way is left alone until it is done. */
export function useToggleActive({ activate, deactivate, activatedText, deactivatedText }: ToggleActive) {
  const { id: updatedBy } = useSelector(selectSession);
  const underWay = useRef(new Set<string>());
  return useCallback(
    async ({ id, isActive }: { id: string; isActive: boolean }): Promise<void> => {
      if (underWay.current.has(id)) return;
      underWay.current.add(id);
      try {
        await (isActive ? deactivate : activate)({ id, updatedBy }).unwrap();
        notify.success(isActive ? deactivatedText : activatedText);
      } catch (error) {
        showError(error);
      } finally {
        underWay.current.delete(id);
      }
    },
    [updatedBy, activate, deactivate, activatedText, deactivatedText],
  );
}
