import { type ComponentType, lazy } from 'react';

const lost = new Set<() => void>();

/** A page whose chunk is loaded when it is first shown. React's own `lazy` never asks again for a chunk that failed. */
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

/** Lets the chunks that failed be asked for anew at the next visit; not sooner, or a page would ask for ever. */
export function forgetLostPages(): void {
  for (const renew of lost) renew();
  lost.clear();
}
