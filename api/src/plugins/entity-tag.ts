/**
 * Whether an If-None-Match names an entity tag, by weak comparison; '*' would be any.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 If-None-Match
 */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')) ?? false;
