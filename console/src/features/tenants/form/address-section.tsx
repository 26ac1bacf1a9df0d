import { TextField } from '../../../components/field/text-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';

/** The customer's address. */
export function AddressSection({ fields }: { fields: TenantFieldProps }) {
  const stateAndZip = (
    <>
      <TextField {...fields.text('state')} />
      <TextField {...fields.text('zipCode')} />
    </>
  );
  return (
    <FormSection id="address">
      <TextField {...fields.text('addressLine1')} className="field-wide" />
      <TextField {...fields.text('addressLine2')} />
      <TextField {...fields.text('addressLine3')} />
      <TextField {...fields.text('city')} />
      {fields.readOnly ? stateAndZip : <div className="field-pair">{stateAndZip}</div>}
    </FormSection>
  );
}
