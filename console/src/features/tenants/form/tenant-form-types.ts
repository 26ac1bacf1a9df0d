import type { TenantFields, TenantFormInput } from '@apotheca/contract/tenants';
import type { ZodForm } from '../../../components/form/form.tsx';

export type TenantMode = 'create' | 'edit' | 'view';

export type TenantZodForm = ZodForm<TenantFormInput, TenantFields>;
