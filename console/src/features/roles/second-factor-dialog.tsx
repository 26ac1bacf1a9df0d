import type { Role } from '@apotheca/contract/roles';
import { useTranslation } from 'react-i18next';
import { usePlanRoleSecondFactorQuery, useSetRoleSecondFactorMutation } from '../../api/roles.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { NameList } from './name-list.tsx';

interface SecondFactorDialogProps {
  show: boolean;
  role: Role;
  onClose: () => void;
}

/** Asks before a role needs a second factor, or needs one no longer. */
export function SecondFactorDialog({ role, ...dialog }: SecondFactorDialogProps) {
  const { t } = useTranslation();
  const [send] = useSetRoleSecondFactorMutation();
  const isNeeded = role.requiresSecondFactor;
  const change = isNeeded ? 'waive' : 'require';
  const plan = usePlanRoleSecondFactorQuery({ id: role.id }, { skip: isNeeded, refetchOnMountOrArgChange: true });
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t(`roles.secondFactor.${change}.title`)}
      message={<p>{t(`roles.secondFactor.${change}.what`, { name: role.roleName })}</p>}
      variant="primary"
      confirmLabel={t(`roles.secondFactor.${change}.confirm`)}
      disabled={!isNeeded && !plan.data}
      send={() => send({ id: role.id, required: !isNeeded })}
    >
      {plan.data && (
        <>
          <p>{t('roles.secondFactor.sessions', { count: plan.data.sessions })}</p>
          <NameList
            label={t('roles.secondFactor.without', { count: plan.data.without.length })}
            names={plan.data.without.map(({ id, userName }) => ({ id, name: userName }))}
          />
        </>
      )}
      {!plan.data && plan.error && <LoadFailed error={plan.error} busy={plan.isFetching} onRetry={plan.refetch} />}
      {!isNeeded && !plan.data && !plan.error && <LoadingText>{t('roles.loading')}</LoadingText>}
    </DeleteRecordDialog>
  );
}
