import type { Language } from '@apotheca/contract/preferences';
import { i18n } from './i18n.ts';

/** The languages of the console, each as its speakers call it. English is that of whoever has chosen none, whatever the browser prefers. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', es: 'Español' };

/** Where the choice is kept in local storage. */
const KEY = 'language';

/** Brings the texts of a language; those in English come with the screens that show them. */
const LOADERS: Partial<Record<Language, () => Promise<unknown>>> = { es: () => import('./es.ts') };

/** What was asked for last: the texts of an earlier wish may come after those of a later one. */
let wanted: Language = 'en';

const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(LANGUAGE_NAMES, name);
const languageOf = (name: string | null): Language => (isLanguage(name) ? name : 'en');

/** Shows the console in a language and keeps the choice. Rejects where the texts do not come: all stays as it was then. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language;
  await LOADERS[language]?.();
  if (wanted !== language) return;
  // Said again, it would draw everything anew.
  if (i18n.language !== language) await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  keep(language);
}

/**
 * Brings the texts of the language that was chosen at an earlier visit, so that the first screen is in it. Where they do
 * not come, the console starts in English.
 */
export async function restoreLanguage(): Promise<void> {
  const language = kept();
  if (language !== 'en') await setLanguage(language).catch(() => {});
}

function kept(): Language {
  try {
    return languageOf(localStorage.getItem(KEY));
  } catch {
    // Storage is forbidden: nothing can have been chosen.
    return 'en';
  }
}

function keep(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}
