import { useTranslation } from 'react-i18next';

/** The copyright line with the current year, and the version (SPEC §1). */
export function Footer({ inert }: { inert: boolean }) {
  const { t } = useTranslation();
  return (
    <footer className="main-footer" inert={inert}>
      <span>{`${t('footer.owner', { year: new Date().getFullYear() })} ${t('footer.copyright')}`}</span>
      <span className="main-footer-version">{`${t('footer.version')} ${__APP_VERSION__}`}</span>
    </footer>
  );
}
