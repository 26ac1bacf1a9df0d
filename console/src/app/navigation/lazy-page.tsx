import { type ComponentType, lazy } from 'react';

const failed = new Set<() => void>();

/** A page whose chunk is loaded when it is first shown, or a moment earlier. */
export type LazyPage<Props extends object = object> = ComponentType<Props> & {
  /** Loads the chunk; a failure shows when the page is shown. */
  preload: () => void;
};

/** Makes a page of a chunk. React's own `lazy` never loads a failed chunk again. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  const create = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        failed.add(reset);
        throw error;
      }
    });
  let Page: ComponentType<Props> = create();
  function reset() {
    Page = create();
  }
  const LazyPage = (props: Props) => <Page {...props} />;
  return Object.assign(LazyPage, { preload: () => void load().catch(() => undefined) });
}

/** Lets failed chunks be loaded again at the next visit. Retrying earlier would make a page retry endlessly. */
export function resetFailedPages(): void {
  for (const reset of failed) reset();
  failed.clear();
}
