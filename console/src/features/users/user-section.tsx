import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface UserSectionProps {
  name: 'signIn' | 'person' | 'access';
  children: ReactNode;
}

/** One titled group of fields in two columns. */
export function UserSection({ name, children }: UserSectionProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="form-section">
      <legend>{t(`users.sections.${name}`)}</legend>
      <div className="form-grid">{children}</div>
    </fieldset>
  );
}
