import { type SourceServer, sourceServer } from '@apotheca/contract/adoptions';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { PasswordField } from '../../../components/field/password-field.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, type ZodForm } from '../../../components/form/form.tsx';

interface ServerFormProps {
  formId: string;
  form: ZodForm<z.input<typeof sourceServer>, SourceServer>;
  onSubmit: (server: SourceServer) => Promise<void>;
}

/** Asks for the way to a database on a PostgreSQL server. */
export function ServerForm({ formId, form, onSubmit }: ServerFormProps) {
  const { t } = useTranslation();
  const text = (name: 'host' | 'port' | 'database' | 'user') => ({
    ...form.register(name),
    label: t(`databases.adoption.server.${name}`),
    error: fieldError(form, name),
    autoComplete: 'off',
    spellCheck: false,
    required: true,
  });
  return (
    <form id={formId} className="restore-form" noValidate onSubmit={form.handleSubmit(onSubmit)}>
      <p className="form-text">{t('databases.adoption.server.what')}</p>
      <div className="adoption-server">
        <TextField {...text('host')} />
        <TextField {...text('port')} inputMode="numeric" />
        <TextField {...text('database')} />
        <TextField {...text('user')} />
        <PasswordField
          {...form.register('password')}
          label={t('databases.adoption.server.password')}
          error={fieldError(form, 'password')}
          autoComplete="off"
        />
        <SelectField
          {...form.register('tls')}
          label={t('databases.adoption.server.tls')}
          error={fieldError(form, 'tls')}
          options={sourceServer.shape.tls.unwrap().options.map((way) => ({
            value: way,
            label: t(`databases.adoption.server.ways.${way}`),
          }))}
        />
      </div>
    </form>
  );
}
