/** Text before and after one @, with a dot after it: addresses on the internet look like this. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u;
/** Digits, the characters that people write between them, and an extension. */
const PHONE = /^\+?[\d\s()./-]+((ext\.?|x|#)\s*\d+)?$/i;
/** The shortest numbers: those with an area code, and local ones of most places. */
const FEWEST_DIGITS = 7;

/** Whether a text looks like an email address; the spec accepts any text (SPEC §5). */
export const looksLikeEmail = (text: string): boolean => EMAIL.test(text.trim());

/** Whether a text looks like a phone number; the spec accepts any text (SPEC §5). */
export const looksLikePhone = (text: string): boolean =>
  PHONE.test(text.trim()) && text.replace(/\D/g, '').length >= FEWEST_DIGITS;
