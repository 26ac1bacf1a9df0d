import { LogOut, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { signOut } from '../../api/session.ts';
import { selectSession } from '../../api/session-slice.ts';
import { Dropdown } from '../../components/dropdown.tsx';
import { Image } from '../../components/image.tsx';
import { PATHS } from '../paths.ts';
import { useAppDispatch, useAppSelector } from '../store.ts';
import { selectLayout } from './layout-slice.ts';

const DEFAULT_PROFILE = '/img/default-profile.png';

/** Who is signed in, the way to their profile, and the way out (SPEC §2.2). */
export function UserMenu() {
  const { t } = useTranslation();
  const { email, username, firstName, lastName, role } = useAppSelector(selectSession);
  // On a phone the bar has room for the picture alone: e-mail and role move into the menu.
  const isNarrow = useAppSelector(selectLayout).screenSize === 'xs';
  const who = (
    <span className="user-who">
      <b>{email || username}</b>
      <span>{role}</span>
    </span>
  );
  const head = (
    <>
      <Image src={DEFAULT_PROFILE} fallbackSrc={DEFAULT_PROFILE} alt="" width={35} height={35} rounded />
      {!isNarrow && who}
    </>
  );
  return (
    <Dropdown head={head} headLabel={t('header.user.menu')} align="end">
      {(close) => (
        <div className="user-menu">
          <p className="user-menu-name">
            {firstName} {lastName}
          </p>
          {isNarrow && who}
          <Link to={PATHS.profile} className="dropdown-item" onClick={close}>
            <UserRound className="icon" aria-hidden="true" />
            {t('header.user.profile')}
          </Link>
          <SignOutButton onSignOut={close} />
        </div>
      )}
    </Dropdown>
  );
}

function SignOutButton({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  function handleClick() {
    onSignOut();
    // The guard of the protected routes leads to /login.
    dispatch(signOut());
  }
  return (
    <button type="button" className="dropdown-item" onClick={handleClick}>
      <LogOut className="icon" aria-hidden="true" />
      {t('login.button.signOut')}
    </button>
  );
}
