import { LogOut, MonitorSmartphone, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { Image } from '../../components/display/image.tsx';
import { Dropdown } from '../../components/popup/dropdown.tsx';
import { useNotLoaded } from '../../components/toast/use-not-loaded.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { signOut } from '../../session/session.ts';
import { selectSession } from '../../session/session-slice.ts';
import { PATHS } from '../navigation/paths.ts';
import { useTopBarRequest } from '../navigation/top-bar.ts';
import { selectLayout } from '../state/layout-slice.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

const useSessionsModal = lazyPart(
  async () => (await import('../../features/auth/sessions/sessions-modal.tsx')).SessionsModal,
);

const DEFAULT_PROFILE = '/img/default-profile.png';

/** The user menu: name, links to profile and sessions, and Logout (SPEC §2.2). */
export function UserMenu() {
  const { t } = useTranslation();
  const { email, username, firstName, lastName, role } = useAppSelector(selectSession);
  // On a phone the bar has room for the picture only: e-mail and role move into the menu.
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
  const [dialog, setDialog] = useState<{ kind: 'none' | 'sessions' }>({ kind: 'none' });
  useTopBarRequest('sessions', () => setDialog({ kind: 'sessions' }));
  return (
    <>
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
            <SessionsButton
              onOpen={() => {
                close();
                setDialog({ kind: 'sessions' });
              }}
            />
            <SignOutButton onSignOut={close} />
          </div>
        )}
      </Dropdown>
      <Sessions dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}

function SessionsButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="dropdown-item" onClick={onOpen}>
      <MonitorSmartphone className="icon" aria-hidden="true" />
      {t('header.user.sessions')}
    </button>
  );
}

/** The sessions modal, once it was opened; every opening starts with the user's own sessions. */
function Sessions({ dialog, onClose }: { dialog: { kind: 'none' | 'sessions' }; onClose: () => void }) {
  const { dialog: last, key, show } = useLastingDialog(dialog);
  return last.kind !== 'none' && <OpenedSessions key={key} show={show} onClose={onClose} />;
}

function OpenedSessions(props: { show: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { value: SessionsModal, isError } = useSessionsModal();
  useNotLoaded(isError, t('sessions.notLoaded'), props.onClose);
  return SessionsModal && <SessionsModal {...props} />;
}

function SignOutButton({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  function handleClick() {
    onSignOut();
    // The guard of the protected routes then navigates to /login.
    dispatch(signOut());
  }
  return (
    <button type="button" className="dropdown-item" onClick={handleClick}>
      <LogOut className="icon" aria-hidden="true" />
      {t('login.button.signOut')}
    </button>
  );
}
