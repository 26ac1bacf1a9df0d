import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { Suggestions } from '../../../components/field/suggestions.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { usePicker } from '../../../components/field/use-picker.ts';
import { textSearch } from '../../../lib/text-search.ts';
import { fullName, signInName } from '../../../lib/user-name.ts';
import type { SessionOwner } from './session-owner.ts';

const search = textSearch<User>(({ userName, email, fName, lName }) => [userName, email, `${fName} ${lName}`]);

interface UserPickerProps {
  users: readonly User[];
  /** Called with the user whose user name or e-mail address is typed or picked. */
  onPick: (user: SessionOwner) => void;
}

/** A field that finds a user by any part of user name, e-mail address or name. */
export function UserPicker({ users, onPick }: UserPickerProps) {
  const { t } = useTranslation();
  const handlePick = (user: User | undefined) => user && onPick({ id: user.id, name: signInName(user) });
  const picker = usePicker({ items: users, search, find: userOf, suggestionOf, onPick: handlePick });
  return (
    <>
      <TextField
        label={t('sessions.user')}
        hint={t('sessions.userHint')}
        error={picker.isUnknown ? t('sessions.unknownUser') : undefined}
        list={picker.listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={picker.typed}
        onChange={picker.handleChange}
        onBlur={picker.handleBlur}
      />
      <Suggestions id={picker.listId} options={picker.suggestions} />
    </>
  );
}

const suggestionOf = (user: User) => ({ value: signInName(user), description: fullName(user) });

/** Compares as a sign-in does: upper and lower case are the same, and user names come before e-mail addresses. */
function userOf(users: readonly User[], typed: string): User | undefined {
  const name = typed.trim().toLowerCase();
  if (name === '') return undefined;
  const byName = users.find(({ userName }) => userName.toLowerCase() === name);
  return byName ?? users.find(({ email }) => email.toLowerCase() === name);
}
