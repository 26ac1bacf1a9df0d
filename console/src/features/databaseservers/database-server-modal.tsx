import {
  DATABASE_SERVER_TLS,
  type DatabaseServer,
  type DatabaseServerForm,
  databaseServerForm,
  databaseServerRoutes,
  editDatabaseServerForm,
  editHomeServerForm,
} from '@apotheca/contract/databaseservers';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useCreateDatabaseServerMutation, useEditDatabaseServerMutation } from '../../api/databaseservers.ts';
import { FormModalFooter } from '../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { NumberField } from '../../components/field/number-field.tsx';
import { PasswordField } from '../../components/field/password-field.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextAreaField } from '../../components/field/text-area-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm, type ZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { useFieldsSetBack } from '../../forms/use-fields-set-back.ts';
import { type Stamp, useSaveRecord } from '../../forms/use-save-record.ts';
import { useStaleEdit } from '../../forms/use-stale-edit.tsx';
import { messageText } from '../../locales/messages.ts';
import { useRefusal } from '../../rights/rights.tsx';

type Typed = z.input<typeof databaseServerForm>;
type ServerZodForm = ZodForm<Typed, DatabaseServerForm>;

interface DatabaseServerModalProps {
  show: boolean;
  /** The server to edit; absent: create one. */
  server?: DatabaseServer;
  onClose: () => void;
}

/** Creates or edits a database server. Of the home server only what describes it can be changed. */
export function DatabaseServerModal({ show, server, onClose }: DatabaseServerModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const defaultValues = useMemo(() => valuesOf(server), [server]);
  const form: ServerZodForm = useZodForm<Typed, DatabaseServerForm>(schemaFor(server), { defaultValues });
  const stale = useStaleEdit({
    form,
    version: server?.version,
    labelOf: (field) => (isField(field) ? t(`databaseServers.fields.${field}`) : field),
  });
  const [create] = useCreateDatabaseServerMutation();
  const [edit] = useEditDatabaseServerMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: server === undefined,
    stale,
    send: (fields: DatabaseServerForm, { by, version }: Stamp) =>
      server ? edit({ ...fields, id: server.id, version, updatedBy: by }) : create({ ...fields, createdBy: by }),
    onSaved: onClose,
  });
  const mode = server ? 'edit' : 'create';
  const saveRefusal = useRefusal()(databaseServerRoutes[mode]);
  return (
    <Modal
      {...{ show, failure, saveRefusal, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t(`databaseServers.${mode}.title`)}
      subtitle={server?.name}
      size="lg"
      dirty={form.formState.isDirty}
      busy={isSaving}
      footer={<FormModalFooter {...{ formId, isSaving, saveRefusal, mode }} isReady />}
    >
      <form id={formId} className="form-grid" noValidate onSubmit={form.handleSubmit(save)}>
        {stale.notice}
        {server?.isAway && (
          <div className="field-wide">
            <Notice tone="warning" title={t('databaseServers.states.away')}>
              {messageText(server.problem)}
            </Notice>
          </div>
        )}
        <Fields form={form} isHome={server?.isHome ?? false} isNew={server === undefined} />
      </form>
    </Modal>
  );
}

function Fields({ form, isHome, isNew }: { form: ServerZodForm; isHome: boolean; isNew: boolean }) {
  const { t } = useTranslation();
  const field = (name: keyof DatabaseServerForm) => ({
    ...form.register(name),
    label: t(`databaseServers.fields.${name}`),
    error: fieldError(form, name),
    autoComplete: 'off',
  });
  const numbers = { setValueAs: (value: unknown) => (value === '' || value === null ? null : Number(value)) };
  const isVerified = form.watch('tls') === 'verify-full';
  useFieldsSetBack(form, isVerified ? [] : ['caCertificate']);
  const tls = DATABASE_SERVER_TLS.map((value) => ({ value, label: t(`databaseServers.tls.${value}`) }));
  return (
    <>
      <TextField {...field('name')} required />
      <TextField {...field('region')} hint={t('databaseServers.hints.region')} />
      <NumberField
        {...field('capacity')}
        {...form.register('capacity', numbers)}
        hint={t('databaseServers.hints.capacity')}
      />
      {!isHome && (
        <>
          <TextField {...field('host')} required />
          <NumberField {...field('port')} {...form.register('port', numbers)} required />
          <TextField {...field('userName')} required hint={t('databaseServers.hints.userName')} />
          <PasswordField
            {...field('password')}
            autoComplete="new-password"
            required={isNew}
            hint={isNew ? undefined : t('databaseServers.hints.password')}
          />
          <SelectField {...field('tls')} required options={tls} />
          {isVerified && (
            <TextAreaField {...field('caCertificate')} required rows={6} className="field-wide field-code" />
          )}
        </>
      )}
    </>
  );
}

/** What counts depends on the server: the home one has no address, and a stored password need not be typed again. */
function schemaFor(server: DatabaseServer | undefined): typeof databaseServerForm {
  const schema = server ? (server.isHome ? editHomeServerForm : editDatabaseServerForm) : databaseServerForm;
  // The forms differ in what may be left empty, not in their fields.
  return schema as typeof databaseServerForm;
}

const DEFAULT_PORT = 5432;

function valuesOf(server: DatabaseServer | undefined): Typed {
  const { name = '', region = '', capacity = null, host = '', port = DEFAULT_PORT } = server ?? {};
  const { userName = '', tls = 'disable', caCertificate = '' } = server ?? {};
  return { name, region, capacity, host, port, userName, password: '', tls, caCertificate };
}

const isField = (name: string): name is keyof DatabaseServerForm => Object.hasOwn(databaseServerForm.shape, name);
