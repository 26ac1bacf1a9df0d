import { type Account, accountForm } from '@apotheca/contract/account';
import { useTranslation } from 'react-i18next';
import { useEditAccountMutation, useGetAccountQuery } from '../../api/account.ts';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/display/card.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';
import { requiredFields } from '../../components/form/required-fields.ts';
import { FailureNotice } from '../../components/notice/failure-notice.tsx';
import { KEEP_TYPED, useBegun } from '../../forms/use-begun.ts';
import { useSaveRecord } from '../../forms/use-save-record.ts';
import { useStaleEdit } from '../../forms/use-stale-edit.tsx';

type FieldName = keyof typeof accountForm.shape;

const REQUIRED = requiredFields(accountForm);
const AUTOCOMPLETE: Record<FieldName, string> = { fName: 'given-name', lName: 'family-name', phone: 'tel' };

/** What people may change of their own record. */
export function AccountCard() {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useGetAccountQuery();
  return (
    <Card title={t('account.title')}>
      {data ? (
        <AccountForm account={data} />
      ) : (
        <FormPlaceholder
          loadingText={t('account.loading')}
          isError={isError && !isFetching}
          onRetry={refetch}
          failedText={t('account.failed')}
        />
      )}
    </Card>
  );
}

function AccountForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { begun, followUnless, follow } = useBegun(account, fieldsOf);
  const form = useZodForm(accountForm, { ...KEEP_TYPED, values: fieldsOf(begun), draft: 'account' });
  followUnless(form.formState.isDirty);
  const [edit] = useEditAccountMutation();
  const stale = useStaleEdit({
    form,
    version: begun.version,
    labelOf: (field) => (isField(field) ? t(`users.fields.${field}`) : field),
  });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    stale,
    send: (fields, { version }) => edit({ ...fields, version }),
    follow,
    onSaved: () => {},
  });
  const text = (name: FieldName) => ({
    label: t(`users.fields.${name}`),
    error: fieldError(form, name),
    required: REQUIRED.has(name),
    autoComplete: AUTOCOMPLETE[name],
    ...form.register(name),
  });
  return (
    <form className="account-form" noValidate onSubmit={form.handleSubmit(save)}>
      <p className="text-muted">{t('account.what')}</p>
      {stale.notice}
      {failure && <FailureNotice failure={failure} retry={{ type: 'submit' }} />}
      <TextField {...text('fName')} />
      <TextField {...text('lName')} />
      <TextField {...text('phone')} type="tel" />
      <div>
        <Button type="submit" loading={isSaving}>
          {t('account.save')}
        </Button>
      </div>
    </form>
  );
}

const fieldsOf = ({ fName, lName, phone }: Account) => ({ fName, lName, phone });
const isField = (name: string): name is FieldName => Object.hasOwn(accountForm.shape, name);
