import type { editMenuForm, menuForm } from '@apotheca/contract/permissions';
import type { z } from 'zod';
import type { ZodForm } from '../../components/form/form.tsx';

export type MenuFormInput = z.input<typeof editMenuForm> & {
  /** Only of a new one: the roles that get it. */
  roleIds?: string[];
};
export type MenuFields = z.output<typeof menuForm> | z.output<typeof editMenuForm>;

export type MenuZodForm = ZodForm<MenuFormInput, MenuFields>;
