import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { useId, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { errorText } from '../api/http/answer-errors.ts';
import { useListRolesQuery } from '../api/roles.ts';
import { Button } from '../components/button/button.tsx';
import { Checkbox } from '../components/field/checkbox.tsx';
import { FieldMessages } from '../components/field/field.tsx';
import { RetryNotice } from '../components/notice/retry-notice.tsx';
import { Spinner } from '../components/waiting/spinner.tsx';

interface RoleChoiceProps {
  /** Of the form's field that holds the ids of the chosen roles. */
  registration: UseFormRegisterReturn;
  chosen: readonly string[] | undefined;
  error: string | undefined;
}

/** Chooses the roles that get a new permission or menu at once, besides Administrator. Closed at first: none is the rule. */
export function RoleChoice({ registration, chosen = [], error }: RoleChoiceProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const errorId = useId();
  return (
    <div className="role-choice field-wide">
      <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('roles.choice.open', { count: chosen.length })}
      </Button>
      {isOpen && <Roles registration={registration} />}
      <FieldMessages error={error} errorId={errorId} />
    </div>
  );
}

function Roles({ registration }: Pick<RoleChoiceProps, 'registration'>) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListRolesQuery();
  if (!data && error) {
    return (
      <RetryNotice busy={isFetching} onRetry={refetch}>
        {errorText(error)}
      </RetryNotice>
    );
  }
  if (!data) return <Spinner label={t('roles.loading')} />;
  return (
    <fieldset>
      <legend>{t('roles.choice.legend')}</legend>
      <ul>
        {data
          .filter(({ roleName }) => roleName !== ADMINISTRATOR)
          .map(({ id, roleName }) => (
            <li key={id}>
              <Checkbox {...registration} value={id} label={roleName} />
            </li>
          ))}
      </ul>
    </fieldset>
  );
}
