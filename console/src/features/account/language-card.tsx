import { LANGUAGES, type Language } from '@apotheca/contract/preferences';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../api/http/answer-errors.ts';
import { useGetPreferencesQuery, usePutLanguageMutation } from '../../api/preferences.ts';
import { Card } from '../../components/display/card.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';

/** Each language as its speakers call it. */
const NAMES: Record<Language, string> = { en: 'English', es: 'Español' };
const OPTIONS = LANGUAGES.map((language) => ({ value: language, label: NAMES[language] }));

/** In which language the console is, for the signed-in person. It is stored, and shown, as soon as it is chosen. */
export function LanguageCard() {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useGetPreferencesQuery();
  const [put, { isLoading }] = usePutLanguageMutation();
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  // One after the other, so that the last choice is the one that stays: the select can be used meanwhile, as it would lose the focus.
  function choose(language: Language) {
    sent.current = sent.current.then(() => put({ language }).unwrap()).catch(showError);
  }
  return (
    <Card title={t('account.language.title')}>
      {data ? (
        <SelectField
          label={t('account.language.label')}
          hint={t('account.language.hint')}
          value={data.language}
          options={OPTIONS}
          aria-busy={isLoading || undefined}
          onChange={(event) => choose(event.target.value as Language)}
        />
      ) : (
        <FormPlaceholder
          loadingText={t('account.language.loading')}
          isError={isError && !isFetching}
          onRetry={refetch}
          failedText={t('account.language.failed')}
        />
      )}
    </Card>
  );
}
