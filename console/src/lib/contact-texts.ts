/** Something before and after one @, with a dot behind it: what mail can be sent to over the internet. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u;
/** Digits with what people put between them, and an extension. */
const PHONE = /^\+?[\d\s()./-]+((ext\.?|x|#)\s*\d+)?$/i;
/** The shortest numbers with an area code, and local ones of most places. */
const FEWEST_DIGITS = 7;

/** Whether a text could be an email address; the spec takes any (SPEC §5). */
export const looksLikeEmail = (text: string): boolean => EMAIL.test(text.trim());

/** Whether a text could be a phone number; the spec takes any (SPEC §5). */
export const looksLikePhone = (text: string): boolean =>
  PHONE.test(text.trim()) && text.replace(/\D/g, '').length >= FEWEST_DIGITS;
