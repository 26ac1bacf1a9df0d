import type { ComponentProps, FormEventHandler, ReactNode } from 'react';
import { CheckboxField } from '../components/field/checkbox-field.tsx';
import { NumberField } from '../components/field/number-field.tsx';
import { RoleChoice } from './role-choice.tsx';

interface PermissionFormFrameProps {
  id: string;
  /** A notice above the fields, such as about another user's change. */
  notice: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  sortOrder: ComponentProps<typeof NumberField>;
  isActive: ComponentProps<typeof CheckboxField>;
  /** Only for a new one. */
  roles?: ComponentProps<typeof RoleChoice>;
  /** The fields above these two. */
  children: ReactNode;
}

/** The form of a permission or menu, with the fields that both end with. */
export function PermissionFormFrame({
  id,
  notice,
  onSubmit,
  sortOrder,
  isActive,
  roles,
  children,
}: PermissionFormFrameProps) {
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {notice}
      <div className="form-grid permission-fields">
        {children}
        <NumberField {...sortOrder} />
        <CheckboxField {...isActive} className="field-check" />
        {roles && <RoleChoice {...roles} />}
      </div>
    </form>
  );
}
