import type { Tenant } from '@apotheca/contract/tenants';
import { type ComponentProps, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { textSearch } from '../../lib/text-search.ts';

/** So many are offered; typing on leads to the others. */
const OFFERED_MAX = 50;

const search = textSearch<Tenant>(({ code, customerCode }) => [code, customerCode]);

interface TenantPickerProps extends Pick<ComponentProps<'input'>, 'autoFocus'> {
  tenants: readonly Tenant[];
  /** Called with the tenant whose code is typed or picked, or with nothing while there is none. */
  onPick: (tenant: Tenant | undefined) => void;
}

/** A field that finds a tenant by any part of its code or name. */
export function TenantPicker({ tenants, onPick, ...rest }: TenantPickerProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const offered = useMemo(() => tenants.filter(search(typed)).slice(0, OFFERED_MAX), [tenants, typed]);
  const isUnknown = typed !== '' && tenantOf(tenants, typed) === undefined;

  function handleChange({ target }: { target: HTMLInputElement }) {
    setTyped(target.value);
    setLeft(false);
    onPick(tenantOf(tenants, target.value));
  }
  return (
    <>
      <UpperCaseField
        {...rest}
        label={t('permissions.sync.tenant')}
        // In place of the hint: a dialog that grows when the field is left would move what is just being clicked.
        {...(isLeft && isUnknown
          ? { error: t('permissions.sync.unknownTenant') }
          : { hint: t('permissions.sync.tenantHint') })}
        list={listId}
        className="field-code"
        required
        onChange={handleChange}
        onBlur={() => setLeft(true)}
      />
      <datalist id={listId}>
        {offered.map(({ id, code, customerCode }) => (
          <option key={id} value={code}>
            {customerCode}
          </option>
        ))}
      </datalist>
    </>
  );
}

const tenantOf = (tenants: readonly Tenant[], typed: string): Tenant | undefined =>
  tenants.find(({ code }) => code === typed.trim());
