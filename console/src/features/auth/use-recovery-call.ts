import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useDispatch } from 'react-redux';
import { showError } from '../../api/http/answer-errors.ts';
import { applyServerErrors, type ZodForm } from '../../components/form/form.tsx';
import type { SessionDispatch, SessionThunk } from '../../session/session-slice.ts';
import type { Outcome } from '../../transport/transport.ts';

/** Makes a call of a public form; its refusals show as toasts and at the fields that they name. */
export function useRecoveryCall<Input extends FieldValues, Output>(form: ZodForm<Input, Output>) {
  const dispatch = useDispatch<SessionDispatch>();
  const [isLoading, setLoading] = useState(false);

  /** @returns what the server says; undefined where it refused */
  async function call(thunk: SessionThunk<Promise<Outcome>>): Promise<string | undefined> {
    setLoading(true);
    const { data, error } = await dispatch(thunk);
    setLoading(false);
    if (data) return data.message;
    applyServerErrors(form, showError(error) ?? {});
    return undefined;
  }

  return { call, isLoading };
}
