import type { Tenant } from '@apotheca/contract/tenants';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Suggestions } from '../../components/field/suggestions.tsx';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { usePicker } from '../../components/field/use-picker.ts';
import { textSearch } from '../../lib/text-search.ts';

const search = textSearch<Tenant>(({ code, customerCode }) => [code, customerCode]);

interface TenantPickerProps extends Pick<ComponentProps<'input'>, 'autoFocus'> {
  tenants: readonly Tenant[];
  /** Called with the tenant whose code is typed or picked, or with nothing while there is none. */
  onPick: (tenant: Tenant | undefined) => void;
}

/** A field that finds a tenant by any part of its code or name. */
export function TenantPicker({ tenants, onPick, ...rest }: TenantPickerProps) {
  const { t } = useTranslation();
  const { listId, suggestions, isUnknown, handleChange, handleBlur } = usePicker({
    items: tenants,
    search,
    find: tenantOf,
    suggestionOf,
    onPick,
  });
  // In place of the hint: a dialog that grows when the field is left would move the element that is being clicked.
  const line = isUnknown ? { error: t('permissions.sync.unknownTenant') } : { hint: t('permissions.sync.tenantHint') };
  return (
    <>
      <UpperCaseField
        {...rest}
        {...line}
        label={t('permissions.sync.tenant')}
        list={listId}
        className="field-code"
        required
        onChange={handleChange}
        onBlur={handleBlur}
      />
      <Suggestions id={listId} options={suggestions} />
    </>
  );
}

const suggestionOf = ({ code, customerCode }: Tenant) => ({ value: code, description: customerCode });

const tenantOf = (tenants: readonly Tenant[], typed: string): Tenant | undefined =>
  tenants.find(({ code }) => code === typed.trim());
