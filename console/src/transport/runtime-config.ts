import { type RuntimeConfig, runtimeConfig } from '@apotheca/contract/config';
import { BASE_PATHS, type Base } from '@apotheca/contract/route';

let config = runtimeConfig.parse({ appApiBaseUrl: BASE_PATHS.api, authApiBaseUrl: BASE_PATHS.identity });

/** What the server said of itself at start. */
export const getRuntimeConfig = (): RuntimeConfig => config;

/**
 * Loads /config.json with the two API bases (SPEC §3), so that one build of the console runs against any of them.
 * @throws when the file cannot be fetched or is no runtime config
 */
export async function loadRuntimeConfig(): Promise<RuntimeConfig> {
  const response = await fetch(new URL('/config.json', location.origin), { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  config = runtimeConfig.parse(await response.json());
  return config;
}

/**
 * Whether passkeys work here: at the address of APOTHECA_PUBLIC_URL, or else at localhost. Browsers have them on https and
 * localhost only, and an IP address is no name that they could belong to.
 */
export function canUsePasskeys(): boolean {
  const { origin, hostname } = new URL(config.publicUrl ?? location.origin);
  const isName = hostname === 'localhost' || (config.publicUrl !== undefined && !/^[\d.]+$|^\[/.test(hostname));
  return isName && origin === location.origin && window.isSecureContext && 'PublicKeyCredential' in window;
}

/** The absolute address of a call. */
export function addressOf(base: Base, path: string): string {
  const root = base === 'identity' ? config.authApiBaseUrl : config.appApiBaseUrl;
  return new URL(root.replace(/\/+$/, '') + path, location.origin).href;
}
