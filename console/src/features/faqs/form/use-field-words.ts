import { useTranslation } from 'react-i18next';
import { localMinute } from '../../../lib/moment.ts';

/** Says the value of a flag or a moment as the forms do; undefined for other fields, and where there is no moment. */
export function useFieldWords(): (field: string, value: unknown) => string | undefined {
  const { t } = useTranslation();
  return (field, value) => {
    switch (field) {
      case 'isActive':
        return t(value === true ? 'faqs.active' : 'faqs.inactive');
      case 'published':
        return t(value === true ? 'faqs.yes' : 'faqs.no');
      case 'publishAtUtc':
      case 'publishUntilUtc':
        return typeof value === 'string' ? localMinute(new Date(value)) : undefined;
      default:
        return undefined;
    }
  };
}
