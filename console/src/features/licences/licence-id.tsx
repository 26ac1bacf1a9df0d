import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/toast/copy-button.tsx';

/** This many characters of an id are enough to tell licences apart. */
const SHORT = 8;

/** The beginning of a licence's id, and a button that copies the whole id. */
export function LicenceId({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  return (
    <span className="licence-id">
      <span className="code">{id.slice(0, SHORT)}</span>
      <CopyButton text={id} label={t('licences.copyId', { name })} />
    </span>
  );
}
