declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Loads the analytics tag of `id`. Called in production only, and only where an id is configured (SPEC §2.1). */
export function startAnalytics(id: string): void {
  window.dataLayer = [...(window.dataLayer ?? []), command('js', new Date()), command('config', id)];
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

/** A command as Google's tag takes it: an `arguments` object. It would take an array for a call of a method of its own. */
function command(..._: unknown[]): IArguments {
  // biome-ignore lint/complexity/noArguments: that is what the tag looks for.
  return arguments;
}
