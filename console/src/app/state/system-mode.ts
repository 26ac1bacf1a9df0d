import { selectLayout, setSystemMode } from './layout-slice.ts';
import type { AppStore } from './store.ts';

/** Keeps dark mode in step with the operating system's, while the layout setting `followsSystem` is on. */
export function followSystemMode(store: AppStore): void {
  const system = window.matchMedia?.('(prefers-color-scheme: dark)');
  if (!system) return;
  const take = () => {
    const { followsSystem, darkMode } = selectLayout(store.getState());
    if (followsSystem && darkMode !== system.matches) store.dispatch(setSystemMode(system.matches));
  };
  take();
  store.subscribe(take);
  system.addEventListener('change', take);
}
