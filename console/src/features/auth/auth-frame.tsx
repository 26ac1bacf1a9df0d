import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Logo } from '../../components/display/logo.tsx';

interface AuthFrameProps {
  /** The purpose of the page; its heading. */
  message: string;
  /** The line below the card. */
  footer: ReactNode;
  children: ReactNode;
}

/** The frame of the public pages: the product's name above one card. */
export function AuthFrame({ message, footer, children }: AuthFrameProps) {
  const { t } = useTranslation();
  return (
    <main className="auth-page">
      <Link className="auth-brand" to="/">
        <Logo size={28} />
        {t('main.product')}
      </Link>
      <div className="card auth-card">
        <h1 className="auth-message">{message}</h1>
        {children}
      </div>
      <div className="auth-footer">{footer}</div>
    </main>
  );
}
