import { useTranslation } from 'react-i18next';
import { SECTIONS, type SectionId } from './form-section.tsx';

interface SectionNavProps {
  active: SectionId;
  onChoose: (id: SectionId) => void;
}

/** Leads to the sections of the tenant form; on narrow screens it is left out. */
export function SectionNav({ active, onChoose }: SectionNavProps) {
  const { t } = useTranslation();
  return (
    <nav className="section-nav" aria-label={t('tenants.modal.sections')}>
      <ul>
        {SECTIONS.map((id) => (
          <li key={id}>
            <button type="button" aria-current={id === active ? 'true' : undefined} onClick={() => onChoose(id)}>
              {t(`tenants.sections.${id}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
