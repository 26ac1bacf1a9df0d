import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import { useListFaqSectionsQuery, useListFaqsQuery } from '../../../api/faqs.ts';
import { useErrorToast } from '../../../api/http/use-error-toast.ts';
import type { SelectOption } from '../../../components/field/select-options.tsx';

/** The FAQs as options of a select; undefined until they are loaded. */
export function useFaqChoices() {
  const { data, error, isFetching, refetch } = useListFaqsQuery();
  useErrorToast(error);
  return { options: data?.map(optionOf), isError: error !== undefined && !isFetching, refetch };
}

/** The sections of the chosen FAQ, none while no FAQ is chosen; undefined until they are loaded. */
export function useSectionChoices(faqId: string) {
  const skip = faqId === '';
  const { currentData, error, isFetching, refetch } = useListFaqSectionsQuery({ faqId }, { skip });
  useErrorToast(error);
  const options = skip ? [] : currentData?.map(optionOf);
  return { options, isError: !skip && error !== undefined && !isFetching, refetch };
}

const optionOf = ({ id, name }: Faq | FaqSection): SelectOption => ({ value: id, label: name });

/** The name that a select shows for an id. */
export const labelOf = (options: readonly SelectOption[] | undefined, id: string): string | undefined =>
  options?.find(({ value }) => value === id)?.label;
