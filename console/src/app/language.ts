import type { Language } from '@apotheca/contract/preferences';
import { readItem, writeItem } from '../lib/local-storage.ts';
import { i18n } from '../locales/i18n.ts';

/** Where the browser keeps the language: at the sign-in page it is not known yet who will sign in. */
export const LANGUAGE_KEY = 'language';

/** What was asked for last: the texts of an earlier wish may come after those of a later one. */
let wanted: Language;

/** Shows the console in a language and keeps the choice. Rejects where its texts do not come: all stays as it was then. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language;
  // Texts in English come with the screens that show them.
  if (language === 'es') await import('../locales/es.ts');
  if (wanted !== language) return;
  // Said again, it would draw everything anew.
  if (i18n.language !== language) await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  writeItem(LANGUAGE_KEY, language);
}

/**
 * Brings the texts of the language that was shown last in this browser, so that the first screen is in it. Where they do
 * not come, the console starts in English, as it does whatever the browser prefers.
 */
export async function restoreLanguage(): Promise<void> {
  if (readItem(LANGUAGE_KEY) === 'es') await setLanguage('es').catch(() => {});
}
