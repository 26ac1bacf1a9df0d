import type { AppStore } from '../app/state/store.ts';

/** Whether a call that changes something has not been answered, and not been stopped either. */
export function isChanging(store: AppStore): boolean {
  const { mutations } = store.getState().api as { mutations: Record<string, { status: string } | undefined> };
  return Object.values(mutations).some((call) => call?.status === 'pending');
}
