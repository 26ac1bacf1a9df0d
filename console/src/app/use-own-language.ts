import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetPreferencesQuery } from '../api/preferences.ts';
import { notify } from '../components/toast/toast.tsx';
import { setLanguage } from './language.ts';

/** Shows the console in the language that the signed-in person has chosen, in this browser or in another one. */
export function useOwnLanguage(): void {
  const { t } = useTranslation();
  const { data } = useGetPreferencesQuery();
  const language = data?.language;
  const tellNotLoaded = useEffectEvent(() => notify.error(t('account.language.notLoaded')));
  useEffect(() => {
    if (language !== undefined) setLanguage(language).catch(tellNotLoaded);
  }, [language]);
}
