/** Whether an address can be decoded. */
export function isDecodable(pathname: string): boolean {
  try {
    // The result is used, as the build would remove a call whose result is unused, together with what it throws.
    return decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
}
