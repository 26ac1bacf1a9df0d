/** A text of the repository and its path. */
export interface Text {
  path: string;
  text: string;
}

/** What references may lead to. */
export interface Book {
  /** docs/requirements.md */
  requirements: string;
  /** Names of the files in docs/decisions. */
  decisions: readonly string[];
}

/** The sections of docs/requirements.md, as 'SPEC §2.6' or 'DECISIONS §8'. */
export const sectionsOf = (requirements: string): string[] =>
  [...requirements.matchAll(/^## (?:(DECISIONS) )?§([\d.]+) /gm)].map(
    ([, part = 'SPEC', number]) => `${part} §${number}`,
  );

/** A section after its document. Without one it is SPEC; in a list a document holds for all sections ('DECISIONS §4, §5'). */
const SECTION = /(?:\b([A-Z][A-Za-z]*(?:\.md)?(?: \d+)?) )?§ ?(\d+(?:\.\d+)*)/g;
const IN_A_LIST = /^(?:,| and| to) $/;
/** Rules that are cited by their number in a document: the repository has no such document. */
const NUMBERED_RULE = /\b[A-Z]{3,} rule \d+/g;
const DECISION = /\b[Dd]ecisions? (\d{3})\b/g;

/** Joins the lines of comments, which have a mark at the beginning of each line. */
const joinLines = (text: string): string => text.replace(/\s*\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ');

/** The references of a text, named as by {@link sectionsOf}. Those to RFCs are left out. */
function sectionReferences(text: string): string[] {
  const found: string[] = [];
  let end = 0;
  let latest = 'SPEC';
  for (const match of text.matchAll(SECTION)) {
    const [whole, named, number] = match;
    const document = named ?? (IN_A_LIST.test(text.slice(end, match.index)) ? latest : 'SPEC');
    if (!document.startsWith('RFC ')) found.push(`${document} §${number}`);
    end = match.index + whole.length;
    latest = document;
  }
  return found;
}

/** References that lead nowhere, each as 'path: reference'. */
export function danglingReferences(texts: readonly Text[], { requirements, decisions }: Book): string[] {
  const sections = new Set(sectionsOf(requirements));
  const numbers = new Set(decisions.map((name) => name.slice(0, 3)));
  return texts.flatMap(({ path, text }) => {
    const joined = joinLines(text);
    const dangling = [
      ...sectionReferences(joined).filter((section) => !sections.has(section)),
      ...(joined.match(NUMBERED_RULE) ?? []),
      ...[...joined.matchAll(DECISION)].filter(([, number = '']) => !numbers.has(number)).map(([found]) => found),
    ];
    return dangling.map((reference) => `${path}: ${reference}`);
  });
}

/** Every key of a bundle: of texts and of their groups. Plural forms are one key. */
function keysOf(bundle: object, prefix = ''): string[] {
  return Object.entries(bundle).flatMap(([name, value]) => {
    const key = `${prefix}${name.replace(/_(?:zero|one|other)$/, '')}`;
    return typeof value === 'object' ? [key, ...keysOf(value, `${key}.`)] : [key];
  });
}

/**
 * The keys in backticks that no bundle has: dotted names that begin with a group of a bundle.
 * @param others other names that may begin so too, such as permissions
 */
export function unknownKeys(page: string, bundles: readonly object[], others: readonly string[]): string[] {
  const known = new Set([...bundles.flatMap((bundle) => keysOf(bundle)), ...others]);
  const groups = new Set(bundles.flatMap(Object.keys));
  return [...page.matchAll(/`((\w+)\.[\w.-]+)`/g)]
    .filter(([, name = '', group = '']) => groups.has(group) && !known.has(name))
    .map(([, name = '']) => name);
}
