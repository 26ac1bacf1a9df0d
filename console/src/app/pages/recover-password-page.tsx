import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { RecoverPasswordForm } from '../../features/auth/recover-password-form.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

/** /recover-password (SPEC §2.4), to which the link of a mail leads. */
export function RecoverPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const token = useLinkToken();
  usePageTitle(t('recover.changePassword'));
  return (
    <AuthFrame
      message={t('recover.oneStepAway')}
      footer={<Link to={PATHS.login}>{t('login.button.signIn.label')}</Link>}
    >
      <RecoverPasswordForm
        token={token}
        forgotPasswordPath={PATHS.forgotPassword}
        onChanged={() => navigate(PATHS.login, { replace: true })}
      />
    </AuthFrame>
  );
}

/** The token of the link, which stands after the # of the address. It leaves the address bar and the history at once. */
function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const given = new URLSearchParams(hash.slice(1)).get('token') || null;
  const [kept, setKept] = useState(given);
  // Another link may be opened in the same tab.
  if (given !== null && given !== kept) setKept(given);
  useEffect(() => {
    if (given !== null) navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return kept ?? undefined;
}
