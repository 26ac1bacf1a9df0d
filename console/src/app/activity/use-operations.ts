import { isEnded, type Operation } from '@apotheca/contract/operations';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { errorText } from '../../api/http/answer-errors.ts';
import { api } from '../../api/http/client.ts';
import { useListOperationsQuery } from '../../api/operations.ts';
import { useAppDispatch } from '../state/store.ts';

/** How often the list is loaded while an operation runs, and otherwise, in milliseconds. */
const BUSY_POLL = 2_000;
const IDLE_POLL = 20_000;

/** What the lists read that operations change, imports and changes of many records among them. */
const CHANGED = [
  'Databases',
  'Tenants',
  'Users',
  'Sessions',
  'Faqs',
  'Permissions',
  'TenantPermissions',
  'Backups',
  'Purges',
  'Dashboard',
] as const;

/** The operations of all users that the server lists, kept up to date, and how many of them are running. */
export function useOperations() {
  const [pollingInterval, setPollingInterval] = useState(IDLE_POLL);
  const { data, error, refetch } = useListOperationsQuery(undefined, { pollingInterval });
  const running = data?.filter(({ state }) => !isEnded(state)).length ?? 0;
  const wanted = running > 0 ? BUSY_POLL : IDLE_POLL;
  if (pollingInterval !== wanted) setPollingInterval(wanted);
  useFreshLists(data);
  return { operations: data, running, error: error && errorText(error), onRetry: () => void refetch() };
}

/** Reloads the other lists when an operation of any user has begun or ended. */
function useFreshLists(operations: Operation[] | undefined) {
  const dispatch = useAppDispatch();
  const states = useRef<ReadonlyMap<string, boolean>>(undefined);
  const compare = useEffectEvent((now: Operation[]) => {
    const before = states.current;
    states.current = new Map(now.map(({ id, state }) => [id, isEnded(state)]));
    if (!before) return;
    const changed = now.filter(({ id, state }) => before.get(id) !== isEnded(state));
    // The server lists only the newest of those that have ended.
    const hasGone = [...before].some(([id, hasEnded]) => !hasEnded && !states.current?.has(id));
    if (hasGone || changed.some(({ state }) => isEnded(state))) {
      dispatch(api.util.invalidateTags([...CHANGED]));
    } else if (changed.length > 0) {
      dispatch(api.util.invalidateTags(['Databases']));
    }
  });
  useEffect(() => {
    if (operations) compare(operations);
  }, [operations]);
}
