/** The text without its first run of whitespace: ' a  b' becomes 'a  b' (SPEC §9). */
export const removeFirstWhitespace = (text: string): string => text.replace(/\s+/, '');
