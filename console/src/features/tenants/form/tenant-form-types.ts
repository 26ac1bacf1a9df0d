import type { NewTenantFields, TenantFormInput } from '@apotheca/contract/tenant-form';
import type { ZodForm } from '../../../components/form/form.tsx';

export type TenantMode = 'create' | 'edit' | 'view';

export type TenantZodForm = ZodForm<TenantFormInput, NewTenantFields>;
