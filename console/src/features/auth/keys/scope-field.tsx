import { PERMISSION_CATALOGUE, type PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FilterField } from '../../../components/data-table/filter-field.tsx';
import { Checkbox } from '../../../components/field/checkbox.tsx';
import { FieldMessages } from '../../../components/field/field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { textSearch } from '../../../lib/text-search.ts';
import type { NewKeyForm } from './key-form.ts';

type Permission = (typeof PERMISSION_CATALOGUE)[number];

interface ScopeFieldProps {
  form: NewKeyForm;
  /** The permissions to choose from. */
  scopes: readonly PermissionIdentifier[];
}

/** Chooses the permissions of a key, by module. Those that the filter hides stay chosen. */
export function ScopeField({ form, scopes }: ScopeFieldProps) {
  const { t } = useTranslation();
  const errorId = useId();
  const [text, setText] = useState('');
  const error = fieldError(form, 'scopes');
  const { ref, value: chosen, onChange, onBlur } = useController({ control: form.control, name: 'scopes' }).field;
  const offered = PERMISSION_CATALOGUE.filter(({ identifier }) => scopes.includes(identifier));
  const found = offered.filter(textSearch<Permission>(({ name, identifier }) => [name, identifier])(text));

  function choose(identifier: PermissionIdentifier, on: boolean) {
    onChange(on ? [...chosen, identifier] : chosen.filter((one) => one !== identifier));
  }
  return (
    <fieldset
      ref={ref}
      // Takes the focus where nothing is chosen: the boxes may all be hidden by the filter.
      tabIndex={-1}
      className="field-wide api-key-scopes"
      aria-describedby={error === undefined ? undefined : errorId}
    >
      <legend>{t('apiKeys.fields.scopes')}</legend>
      <div className="checklist-head">
        <FilterField label={t('apiKeys.scopes.filter')} value={text} onChange={setText} hasKey={false} />
        <span className="num text-muted" role="status">
          {t('apiKeys.scopes.chosen', { count: chosen.length, total: offered.length })}
        </span>
      </div>
      {found.length === 0 && <p className="text-muted">{t('apiKeys.scopes.noMatch')}</p>}
      {[...Map.groupBy(found, ({ module }) => module)].map(([module, members]) => (
        <fieldset key={module} className="switch-group">
          <legend>{t(`apiKeys.modules.${module}`)}</legend>
          <ul>
            {members.map(({ identifier, name }) => (
              <li key={identifier} className="switch-row">
                <Checkbox
                  checked={chosen.includes(identifier)}
                  onChange={(event) => choose(identifier, event.target.checked)}
                  onBlur={onBlur}
                  label={
                    <>
                      {name} <span className="code text-muted">{identifier}</span>
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
      <FieldMessages error={error} errorId={errorId} />
    </fieldset>
  );
}
