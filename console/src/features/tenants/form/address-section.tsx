import { TextField } from '../../../components/field/text-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';

/** The customer's address. */
export function AddressSection({ fields }: { fields: TenantFieldProps }) {
  return (
    <FormSection id="address">
      <TextField {...fields.text('addressLine1')} className="field-wide" />
      <TextField {...fields.text('addressLine2')} />
      <TextField {...fields.text('addressLine3')} />
      <TextField {...fields.text('city')} />
      <div className="field-pair">
        <TextField {...fields.text('state')} />
        <TextField {...fields.text('zipCode')} />
      </div>
    </FormSection>
  );
}
