import type { editUserForm, NewUser, newUserForm, UserEdit } from '@apotheca/contract/user-form';
import type { z } from 'zod';
import type { ZodForm } from '../../components/form/form.tsx';

export type UserMode = 'create' | 'edit' | 'view';

/** Field values as typed; only a new user has a field for being active (SPEC §4). */
export type UserFormInput = z.input<typeof editUserForm> & Pick<z.input<typeof newUserForm>, 'isActive'>;
export type UserFields = NewUser | UserEdit;

export type UserZodForm = ZodForm<UserFormInput, UserFields>;
