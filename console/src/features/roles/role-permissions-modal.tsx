import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlanRolePermissionsQuery } from '../../api/roles.ts';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';
import { RoleMeanwhile } from './role-meanwhile.tsx';
import { RolePlanView } from './role-plan-view.tsx';
import { useChosen } from './use-chosen.ts';
import { useNewestRole } from './use-newest-role.ts';
import { usePermissions } from './use-permissions.ts';
import { useSavePermissions } from './use-save-permissions.ts';

interface RolePermissionsModalProps {
  show: boolean;
  role: Role;
  onClose: () => void;
}

/** Chooses what a role may do. Before it is saved it shows what that changes, and for whom. */
export function RolePermissionsModal({ show, role, onClose }: RolePermissionsModalProps) {
  const { t } = useTranslation();
  const hasEverything = role.roleName === ADMINISTRATOR;
  const { permissions, nameOf, ...loading } = usePermissions();
  const saveRefusal = useRefusal()(roleRoutes.editPermissions);
  // Not as a form that can only be read: its search can be used.
  const whyFixed = hasEverything ? t('roles.matrix.everything') : saveRefusal;
  const newest = useNewestRole(role);
  const chosen = useChosen(newest.role.permissionIds);
  const [step, setStep] = useState<'choose' | 'review' | 'choose again'>('choose');
  const isReviewing = step === 'review';
  const edit = { roleId: role.id, permissionIds: chosen.ids };
  const skip = !isReviewing || !newest.isSure;
  const plan = usePlanRolePermissionsQuery(edit, { skip, refetchOnMountOrArgChange: true });
  // Looked at again first: what somebody else has given since would be planned as a loss.
  const { save, isSaving, failure } = useSavePermissions({ edit, onRefused: newest.look, onSaved: onClose });
  const shownPlan = skip || plan.isFetching ? undefined : plan.data;
  const handleReview = () => {
    setStep('review');
    void newest.look();
  };
  // The button that had the focus is gone: the one in its place takes it.
  const buttons = hasEverything ? (
    <DialogButtons isBusy={false} closeText={t('components.form.close')} />
  ) : isReviewing ? (
    <>
      <Button variant="secondary" autoFocus disabled={isSaving} onClick={() => setStep('choose again')}>
        {t('roles.plan.back')}
      </Button>
      <Button disabled={!shownPlan} loading={isSaving} onClick={() => save(shownPlan?.digest)}>
        {t('roles.plan.save')}
      </Button>
    </>
  ) : (
    <DialogButtons isBusy={false}>
      <Button
        autoFocus={step === 'choose again'}
        disabled={!chosen.isDirty}
        refusal={saveRefusal}
        onClick={handleReview}
      >
        {t('roles.matrix.review')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, failure, onClose }}
      retry={shownPlan && { onClick: () => save(shownPlan.digest) }}
      title={t('roles.matrix.title')}
      subtitle={role.roleName}
      size="lg"
      bodyHeight="65vh"
      dirty={chosen.isDirty}
      busy={isSaving}
      footer={buttons}
    >
      {whyFixed && <Notice tone="info">{whyFixed}</Notice>}
      {show && !hasEverything && permissions && (
        <RoleMeanwhile before={role.permissionIds} after={newest.role.permissionIds} permissions={permissions} />
      )}
      {!permissions && <Loading {...loading} />}
      {permissions && (
        // Hidden, not left out: it keeps what is searched for.
        <div hidden={isReviewing}>
          <PermissionMatrix permissions={permissions} chosen={chosen} disabled={whyFixed !== undefined} />
        </div>
      )}
      {isReviewing && !shownPlan && <Loading {...(newest.isSure ? plan : { ...newest, refetch: newest.look })} />}
      {isReviewing && shownPlan && <RolePlanView plan={shownPlan} nameOf={nameOf} />}
    </Modal>
  );
}

interface LoadingProps {
  error?: { message?: string };
  isFetching: boolean;
  refetch: () => unknown;
}

function Loading({ error, isFetching, refetch }: LoadingProps) {
  const { t } = useTranslation();
  if (error && !isFetching) return <LoadFailed error={error} onRetry={refetch} />;
  return <LoadingText>{t('roles.matrix.loading')}</LoadingText>;
}
