import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { keepLanguage, type PreferencesDispatch, useGetPreferencesQuery } from '../api/preferences.ts';
import { notify } from '../components/toast/toast.tsx';
import { LANGUAGE_KEY, setLanguage } from './language.ts';

/**
 * Shows the console in the language that the signed-in person has chosen, in this browser or in another one, and as soon as it is
 * chosen in another tab.
 */
export function useOwnLanguage(): void {
  const { t } = useTranslation();
  const dispatch = useDispatch<PreferencesDispatch>();
  const { data } = useGetPreferencesQuery();
  const language = data?.language;
  const tellNotLoaded = useEffectEvent(() => notify.error(t('account.language.notLoaded')));
  useEffect(() => {
    if (language !== undefined) setLanguage(language).catch(tellNotLoaded);
  }, [language]);
  const follow = useEffectEvent(({ key, newValue }: StorageEvent) => {
    if (key !== LANGUAGE_KEY || (newValue !== 'en' && newValue !== 'es')) return;
    // Shown by the effect above. What is kept goes along: the language of before could not be chosen again.
    if (data && data.language !== newValue) dispatch(keepLanguage(newValue));
    else setLanguage(newValue).catch(tellNotLoaded);
  });
  useEffect(() => {
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
}
