import type { Permission } from '@apotheca/contract/permissions';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice/notice.tsx';

interface RoleMeanwhileProps {
  /** What the role had when the dialog was opened, and what it has now: ids of permissions. */
  before: readonly string[];
  after: readonly string[];
  permissions: readonly Permission[];
}

/** Says what somebody else has given to a role, or taken from it, while its dialog was open. */
export function RoleMeanwhile({ before, after, permissions }: RoleMeanwhileProps) {
  const { t } = useTranslation();
  const namesOf = (some: readonly string[], others: readonly string[]) => {
    return permissions
      .filter(({ id }) => some.includes(id) && !others.includes(id))
      .map(({ name }) => name)
      .join(', ');
  };
  const [given, taken] = [namesOf(after, before), namesOf(before, after)];
  if (given === '' && taken === '') return null;
  return (
    <Notice tone="warning" role="status" title={t('roles.meanwhile.title')}>
      <p>{t('roles.meanwhile.yours')}</p>
      {given !== '' && <p>{t('roles.meanwhile.given', { names: given })}</p>}
      {taken !== '' && <p>{t('roles.meanwhile.taken', { names: taken })}</p>}
    </Notice>
  );
}
