import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetPreferencesQuery } from '../api/preferences.ts';
import { notify } from '../components/toast/toast.tsx';
import { LANGUAGE_KEY, setLanguage } from './language.ts';

/**
 * Shows the console in the language that the signed-in person has chosen, in this browser or in another one, and as soon as it is
 * chosen in another tab.
 */
export function useOwnLanguage(): void {
  const { t } = useTranslation();
  const { data } = useGetPreferencesQuery();
  const language = data?.language;
  const tellNotLoaded = useEffectEvent(() => notify.error(t('account.language.notLoaded')));
  useEffect(() => {
    if (language !== undefined) setLanguage(language).catch(tellNotLoaded);
  }, [language]);
  const follow = useEffectEvent(({ key, newValue }: StorageEvent) => {
    const isChoice = key === LANGUAGE_KEY && (newValue === 'en' || newValue === 'es');
    if (isChoice) setLanguage(newValue).catch(tellNotLoaded);
  });
  useEffect(() => {
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
}
