import { useTranslation } from 'react-i18next';
import { SECTIONS, type SectionId } from './form-section.tsx';

interface SectionNavProps {
  active: SectionId;
  /** Sections with errors, which are marked. */
  faulty: ReadonlySet<SectionId>;
  onChoose: (id: SectionId) => void;
}

/** Links to the sections of the tenant form; absent on narrow screens. */
export function SectionNav({ active, faulty, onChoose }: SectionNavProps) {
  const { t } = useTranslation();
  return (
    <nav className="section-nav" aria-label={t('tenants.modal.sections')}>
      <ul>
        {SECTIONS.map((id) => (
          <li key={id}>
            <button type="button" aria-current={id === active ? 'true' : undefined} onClick={() => onChoose(id)}>
              {t(`tenants.sections.${id}`)}
              {faulty.has(id) && <ErrorMark />}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ErrorMark() {
  const { t } = useTranslation();
  return (
    <>
      <span className="section-nav-error" aria-hidden="true" />
      <span className="visually-hidden"> {t('tenants.modal.hasErrors')}</span>
    </>
  );
}
