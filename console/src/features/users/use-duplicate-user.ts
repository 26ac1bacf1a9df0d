import type { duplicateUserForm, User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { z } from 'zod';
import { useDuplicateUserMutation } from '../../api/users.ts';
import type { ZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../session/session-slice.ts';

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
  const { id: ownId } = useSelector(selectSession);
  const [send] = useDuplicateUserMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure(form);

  async function duplicate(names: Names) {
    const outcome = await run(() => send({ ...names, id: user.id, createdBy: ownId || null }));
    if (!outcome) return;
    if (outcome.error) return fail(outcome.error);
    notify.success(t('users.duplicated'));
    onClose();
  }
  return { duplicate, isDuplicating: isBusy, failure };
}
