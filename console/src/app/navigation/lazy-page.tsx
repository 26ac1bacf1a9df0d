import { type ComponentType, lazy } from 'react';

const lost = new Set<() => void>();

/** A page whose chunk is loaded when it is first shown. React's own `lazy` never loads a failed chunk again. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const ask = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        lost.add(renew);
        throw error;
      }
    });
  let Page: ComponentType<Props> = ask();
  function renew() {
    Page = ask();
  }
  return function LazyPage(props: Props) {
    return <Page {...props} />;
  };
}

/** Lets failed chunks be loaded again at the next visit. Retrying earlier would make a page retry endlessly. */
export function forgetLostPages(): void {
  for (const renew of lost) renew();
  lost.clear();
}
