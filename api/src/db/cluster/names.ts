const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * The PostgreSQL identifier of a new database and of its login role, given once and then kept in the registry.
 * The id comes first and whole, so two long names that begin alike stay apart within PostgreSQL's 63 bytes (DECISIONS §6).
 * @param id the database's UUID
 * @param name its shown name, for people who look at the cluster
 */
export function physicalName(id: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return assertIdentifier(`db_${id.replaceAll('-', '')}_${slug}`.slice(0, 63).replace(/_+$/, ''));
}

/**
 * Quotes an identifier of the platform's own making for a statement that takes no parameters.
 * @throws when it is not plain lower-case ASCII of at most 63 bytes
 */
export function quoteIdentifier(name: string): string {
  return `"${assertIdentifier(name)}"`;
}

function assertIdentifier(name: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`Not an identifier of the platform: ${JSON.stringify(name)}`);
  return name;
}
