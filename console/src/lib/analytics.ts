declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Loads the analytics tag of `id`. Called in production only, and only where an id is configured (SPEC §2.1). */
export function startAnalytics(id: string): void {
  window.dataLayer = [...(window.dataLayer ?? []), ['js', new Date()], ['config', id]];
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}
