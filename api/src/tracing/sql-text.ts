/** Longest text of a statement in a trace, in characters. */
const LONGEST = 2_000;
/** How many texts are remembered: nearly all statements are prepared ones, of which there are a few hundred. */
const REMEMBERED = 1_000;

/**
 * What may hold a value in SQL (PostgreSQL manual, 4.1): comments, texts in all their forms, and numbers. Names in double quotes come
 * first and stay, as do parameters such as $1. A text that does not end takes all that follows it.
 */
const VALUES =
  /("(?:[^"]|"")*"|\$\d+)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|(?:\b(?:[bBxXnN]|[uU]&))?'(?:[^']|'')*(?:'|$)|\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?(?:\$\2\$|$)|(?<![\w$.])\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|(?<![\w$])\.\d+/g;

/** A tenant's database or login role by its physical name: kind and id, then a part of the name that people see (`db/cluster/names.ts`). */
const PHYSICAL_NAME = /((?:db|login)_[0-9a-f]{32})_[a-z0-9_]*/g;

const known = new Map<string, string>();

/** A text in which tenants' databases and login roles have their ids only, as tenants are customers and a trace names none. */
export const withoutTenantNames = (text: string): string => text.replace(PHYSICAL_NAME, '$1');

/** The text of a statement without any value, and without names of tenants: each value is a question mark. Blanks are drawn together. */
export function withoutValues(text: string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const shown = withoutTenantNames(text)
    .replace(VALUES, (match, kept: string | undefined) => kept ?? (/^(--|\/\*)/.test(match) ? ' ' : '?'))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST);
  if (known.size >= REMEMBERED) known.clear();
  known.set(text, shown);
  return shown;
}

/** What a statement does, by its first word: SELECT, BEGIN … */
export const operationOf = (text: string): string => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';
