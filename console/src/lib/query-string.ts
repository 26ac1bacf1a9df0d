/** URL-encoded query string, without '?', of the values that are neither empty, null nor undefined (SPEC §9). */
export function toQueryString(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((item): [string, unknown] => [name, item]) : [[name, value] as const],
    )
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}
