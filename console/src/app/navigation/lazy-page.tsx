import { type ComponentType, lazy } from 'react';

const failed = new Set<() => void>();

/** A page whose chunk is loaded when it is first shown. React's own `lazy` never loads a failed chunk again. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
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
  return function LazyPage(props: Props) {
    return <Page {...props} />;
  };
}

/** Lets failed chunks be loaded again at the next visit. Retrying earlier would make a page retry endlessly. */
export function resetFailedPages(): void {
  for (const reset of failed) reset();
  failed.clear();
}
