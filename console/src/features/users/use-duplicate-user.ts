import type { duplicateUserForm } from '@apotheca/contract/user-form';
import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useDuplicateUserMutation } from '../../api/users.ts';
import type { ZodForm } from '../../components/form/form.tsx';
import { useSaveRecord } from '../../forms/use-save-record.ts';

type DuplicateSchema = ReturnType<typeof duplicateUserForm>;
type Names = z.output<DuplicateSchema>;

interface DuplicateUserOptions {
  form: ZodForm<z.input<DuplicateSchema>, Names>;
  user: User;
  onClose: () => void;
}

/** Copies a user under other names (SPEC §7.2). */
export function useDuplicateUser({ form, user, onClose }: DuplicateUserOptions) {
  const { t } = useTranslation();
  const [send] = useDuplicateUserMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: true,
    send: (names, { by }) => send({ ...names, id: user.id, createdBy: by }),
    savedText: t('users.duplicated'),
    onSaved: onClose,
  });
  return { duplicate: save, isDuplicating: isSaving, failure };
}
