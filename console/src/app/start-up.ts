import { startAnalytics } from '../lib/analytics.ts';
import { startSession } from '../session/session.ts';
import { loadRuntimeConfig } from '../transport/runtime-config.ts';
import { layoutStarted } from './state/class-sync.ts';
import type { AppStore } from './state/store.ts';
import { followSystemMode } from './state/system-mode.ts';

/** An older console may have left a service worker that still serves its own, outdated files. */
async function removeServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
}

/**
 * What must be done before the first screen: runtime config, then the stored session.
 * @throws when /config.json cannot be loaded
 */
export async function startUp(store: AppStore): Promise<void> {
  store.dispatch(layoutStarted());
  followSystemMode(store);
  // Not awaited; it fails where service workers are forbidden.
  removeServiceWorkers().catch(() => undefined);
  const config = await loadRuntimeConfig();
  await startSession(store, () => store.answers.drop?.());
  if (import.meta.env.PROD && config.analyticsId) startAnalytics(config.analyticsId);
}
