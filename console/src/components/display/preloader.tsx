import { useTranslation } from 'react-i18next';
import { Logo } from './logo.tsx';

/** The full screen with the logo that replaces the layout until the profile is loaded (SPEC §2.2). */
export function Preloader() {
  const { t } = useTranslation();
  return (
    <div className="preloader" role="status">
      <Logo size={60} />
      <span className="visually-hidden">{t('components.loading')}</span>
    </div>
  );
}
