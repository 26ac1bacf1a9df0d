import { useTranslation } from 'react-i18next';
import { Spinner } from './spinner.tsx';

/** A veil with a spinner over the box (or page) that contains it; the box needs `position: relative`. */
export function Overlay({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <div className="overlay">
      <Spinner large variant="primary" label={label ?? t('components.loading')} />
    </div>
  );
}
