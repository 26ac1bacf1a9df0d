/** The words of a text in lower case, joined by hyphens: 'Menu Management' becomes 'menu-management' (SPEC §9). */
export const slug = (text: string): string => words(text).join('-');

/** Letters and digits of any script, without accents; an apostrophe does not split a word ("FAQ's" is 'faqs'). */
const words = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
