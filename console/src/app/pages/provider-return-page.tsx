import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { ProviderReturn } from '../../features/auth/providers/provider-return.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { addressLeft } from '../navigation/address-left.ts';
import { PATHS } from '../navigation/paths.ts';
import { useAppSelector } from '../state/store.ts';
import { usePageTitle } from './page-title.ts';

/** /login/callback/:provider: where a provider leads back to. */
export function ProviderReturnPage() {
  const { t } = useTranslation();
  const { id } = useAppSelector(selectSession);
  usePageTitle(t('login.button.signIn.label'));
  return (
    <AuthFrame message={t('login.label.signIn')} footer={<Link to={PATHS.login}>{t('login.providers.again')}</Link>}>
      <ProviderReturn addressAfter={(left) => addressLeft(left, id) ?? PATHS.dashboard} />
    </AuthFrame>
  );
}
