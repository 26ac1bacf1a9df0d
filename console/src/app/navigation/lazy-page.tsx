import { type ComponentType, lazy, useState } from 'react';

const failed = new Set<() => void>();

/** A page whose chunk is loaded when it is first shown, or a moment earlier. */
export type LazyPage<Props extends object = object> = ComponentType<Props> & {
  /** Loads the chunk, and waits until it is here or has failed; a failure shows when the page is shown. */
  preload: () => Promise<void>;
};

/**
 * Makes a page of a chunk. React's own `lazy` never loads a failed chunk again, and shows a fallback even for one that is here, which
 * then stays for 0.3 s.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  const create = () =>
    lazy(async () => {
      try {
        return { default: await loadOnce() };
      } catch (error) {
        failed.add(reset);
        throw error;
      }
    });
  let Page: ComponentType<Props> = create();
  function reset() {
    Page = create();
  }
  const LazyPage = (props: Props) => {
    // For as long as it is shown: another component would begin anew.
    const [Shown] = useState(() => loaded ?? Page);
    return <Shown {...props} />;
  };
  const preload = async () => {
    await loadOnce().catch(() => undefined);
  };
  return Object.assign(LazyPage, { preload });
}

/** Lets failed chunks be loaded again at the next visit. Retrying earlier would make a page retry endlessly. */
export function resetFailedPages(): void {
  for (const reset of failed) reset();
  failed.clear();
}
