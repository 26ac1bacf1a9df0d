import type { RolePlan } from '@apotheca/contract/roles';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice/notice.tsx';
import { NameList } from './name-list.tsx';
import { RoleChange } from './role-change.tsx';

interface RolePlanViewProps {
  plan: RolePlan;
  /** The name of a permission, by its identifier. */
  nameOf: (identifier: string) => string;
}

/** What a change of a role's permissions does: what each of its people gains and loses, and who they are. */
export function RolePlanView({ plan: { added, removed, users }, nameOf }: RolePlanViewProps) {
  const { t } = useTranslation();
  const named = (identifiers: readonly string[]) =>
    identifiers.map((identifier) => ({ id: identifier, name: nameOf(identifier) }));
  return (
    <div className="role-plan">
      <Notice tone={users.length > 0 ? 'warning' : 'info'} role="status">
        {t('roles.plan.affects', { count: users.length })}
      </Notice>
      <RoleChange gains={named(added)} loses={named(removed)} />
      {users.length > 0 && (
        <NameList
          label={t('roles.plan.people', { count: users.length })}
          names={users.map(({ id, userName }) => ({ id, name: userName }))}
        />
      )}
    </div>
  );
}
