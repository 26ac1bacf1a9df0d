import { i18n } from './i18n.ts';

/** How a language writes numbers, lists and times; dates stand as YYYY-MM-DD in each. */
const LOCALES: Record<string, string> = { en: 'en-GB' };

/** The locale of the language that is shown, for what `Intl` writes. */
export const shownLocale = (): string => LOCALES[i18n.language] ?? i18n.language;

/** A formatter of the language that is shown. Each is made once, as a table asks for it in every row. */
export function inLanguage<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const locale = shownLocale();
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}

const lists = inLanguage((locale) => new Intl.ListFormat(locale));

/** @example formatList(['one', 'two', 'three']) // 'one, two and three' */
export const formatList = (parts: string[]): string => lists().format(parts);
