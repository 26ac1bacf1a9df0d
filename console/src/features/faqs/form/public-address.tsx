import { type Faq, publicFaqPath } from '@apotheca/contract/faqs';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../components/toast/copy-button.tsx';
import { getRuntimeConfig } from '../../../transport/runtime-config.ts';

/** Where everybody can read an FAQ; nothing where the server shows none to everybody. */
export function PublicAddress({ faq: { id, code } }: { faq: Pick<Faq, 'id' | 'code'> }) {
  const { t } = useTranslation();
  const { publicFaqs, publicUrl = window.location.origin } = getRuntimeConfig();
  if (!publicFaqs) return null;
  const address = publicUrl + publicFaqPath({ id, code });
  return (
    <p className="faq-address field-wide">
      <span>{t('faqs.public.address')}</span>{' '}
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>{' '}
      <CopyButton text={address} label={t('faqs.public.copy')} />
    </p>
  );
}
