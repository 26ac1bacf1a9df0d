import type { User } from '@apotheca/contract/users';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../../components/field/text-field.tsx';
import { textSearch } from '../../../lib/text-search.ts';
import type { SessionOwner } from './session-owner.ts';

/** So many are offered; typing on leads to the others. */
const OFFERED_MAX = 50;

const search = textSearch<User>(({ userName, email, fName, lName }) => [userName, email, `${fName} ${lName}`]);

interface UserPickerProps {
  users: readonly User[];
  /** Called with the user whose user name or e-mail address is typed or picked. */
  onPick: (user: SessionOwner) => void;
}

/** A field that finds a user by any part of user name, e-mail address or name. */
export function UserPicker({ users, onPick }: UserPickerProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const offered = useMemo(() => users.filter(search(typed)).slice(0, OFFERED_MAX), [users, typed]);
  const isUnknown = typed !== '' && userOf(users, typed) === undefined;

  function handleChange(text: string) {
    setTyped(text);
    setLeft(false);
    const user = userOf(users, text);
    if (user) onPick({ id: user.id, name: signInName(user) });
  }
  return (
    <>
      <TextField
        label={t('sessions.user')}
        hint={t('sessions.userHint')}
        error={isLeft && isUnknown ? t('sessions.unknownUser') : undefined}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={typed}
        onChange={({ target }) => handleChange(target.value)}
        onBlur={() => setLeft(true)}
      />
      <datalist id={listId}>
        {offered.map((user) => (
          <option key={user.id} value={signInName(user)}>
            {user.fName} {user.lName}
          </option>
        ))}
      </datalist>
    </>
  );
}

const signInName = ({ userName, email }: User): string => userName || email;

/** As a sign-in finds them: whatever the case, and by the user name first. */
function userOf(users: readonly User[], typed: string): User | undefined {
  const name = typed.trim().toLowerCase();
  if (name === '') return undefined;
  const byName = users.find(({ userName }) => userName.toLowerCase() === name);
  return byName ?? users.find(({ email }) => email.toLowerCase() === name);
}
