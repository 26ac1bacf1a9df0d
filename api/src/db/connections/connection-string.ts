/** The same server and user, another database. */
export function withDatabaseName(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${encodeURIComponent(name)}`;
  return target.href;
}
