import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormGrid } from '../../components/form/form-view.tsx';

interface UserSectionProps {
  name: 'signIn' | 'person' | 'access';
  children: ReactNode;
}

/** One titled group of fields in columns. */
export function UserSection({ name, children }: UserSectionProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="form-section">
      <legend>{t(`users.sections.${name}`)}</legend>
      <FormGrid>{children}</FormGrid>
    </fieldset>
  );
}
