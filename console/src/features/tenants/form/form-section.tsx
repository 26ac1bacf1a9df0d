import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormGrid } from '../../../components/form/form-view.tsx';

/** The sections of the tenant form, in their order (SPEC §2.7). */
export const SECTIONS = ['contact', 'address', 'other', 'database', 'license'] as const;
export type SectionId = (typeof SECTIONS)[number];

interface FormSectionProps {
  id: SectionId;
  /** The fields that are kept nowhere, below the others. */
  unbound?: ReactNode;
  children: ReactNode;
}

/** One titled group of fields in columns. */
export function FormSection({ id, unbound, children }: FormSectionProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="form-section" data-section={id}>
      <legend tabIndex={-1}>{t(`tenants.sections.${id}`)}</legend>
      <FormGrid>{children}</FormGrid>
      {unbound}
    </fieldset>
  );
}
