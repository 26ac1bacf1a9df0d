import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { ProviderReturn } from '../../features/auth/providers/provider-return.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** /login/callback/:provider: where a provider leads back to. */
export function ProviderReturnPage() {
  const { t } = useTranslation();
  usePageTitle(t('login.button.signIn.label'));
  return (
    <AuthFrame message={t('login.label.signIn')} footer={<Link to={PATHS.login}>{t('login.providers.again')}</Link>}>
      <ProviderReturn />
    </AuthFrame>
  );
}
