import { useSelector } from 'react-redux';
import { selectSession } from '../../session/session-slice.ts';

/** Tells the browser's password manager whose password a form asks for. People do not see it. */
export function UsernameForPasswords() {
  const { username, email } = useSelector(selectSession);
  return <input type="text" autoComplete="username" value={username || email} readOnly hidden />;
}
