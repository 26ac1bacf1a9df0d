import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The sections of the tenant form, in their order (SPEC §2.7). */
export const SECTIONS = ['contact', 'address', 'other', 'database', 'license'] as const;
export type SectionId = (typeof SECTIONS)[number];

/** One titled group of fields in two columns. */
export function FormSection({ id, children }: { id: SectionId; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <fieldset className="form-section" data-section={id}>
      <legend tabIndex={-1}>{t(`tenants.sections.${id}`)}</legend>
      <div className="form-grid">{children}</div>
    </fieldset>
  );
}
