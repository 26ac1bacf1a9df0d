import { FAQ_LIMITS } from '@apotheca/contract/faq-content';
import type { FaqHit } from '@apotheca/contract/faqs';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchFaqsQuery } from '../../../api/faqs.ts';
import { FilterField } from '../../../components/data-table/filter-field.tsx';
import { useAddressParams } from '../../../components/data-table/use-address-params.ts';
import { useDelayedText } from '../../../components/data-table/use-delayed-text.ts';
import { FaqHits } from './faq-hits.tsx';

interface FaqSearchProps {
  /** The address of the list that contains a hit. */
  linkTo: (hit: FaqHit) => string;
  /** Shown while nothing is searched for. */
  children: ReactNode;
}

/** Searches FAQs, sections and questions for the address's parameter `search`, and shows the hits. */
export function FaqSearch({ linkTo, children }: FaqSearchProps) {
  const { t } = useTranslation();
  const [params, changeParams] = useAddressParams<'search'>();
  const searched = params.get('search') ?? '';
  const search = useCallback((text: string) => changeParams({ search: text }), [changeParams]);
  const [typed, type] = useDelayedText(searched, search);
  const text = searched.trim().slice(0, FAQ_LIMITS.search);
  return (
    <>
      <search className="faq-search">
        <FilterField label={t('faqs.search.label')} value={typed} hasKey={false} onChange={type} />
      </search>
      {text === '' ? children : <Results text={text} linkTo={linkTo} />}
    </>
  );
}

function Results({ text, linkTo }: { text: string; linkTo: (hit: FaqHit) => string }) {
  const { currentData, error, isFetching, refetch } = useSearchFaqsQuery({ text });
  return (
    <FaqHits text={text} hits={currentData} error={isFetching ? undefined : error} linkTo={linkTo} onRetry={refetch} />
  );
}
