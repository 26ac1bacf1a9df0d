import type { NewTenantFields, TenantFormInput } from '@apotheca/contract/tenants';
import type { ZodForm } from '../../../components/form/form.tsx';

export type TenantMode = 'create' | 'edit' | 'view';

export type TenantZodForm = ZodForm<TenantFormInput, NewTenantFields>;
