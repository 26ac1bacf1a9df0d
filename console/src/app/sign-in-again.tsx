import { useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { Notice } from '../components/notice/notice.tsx';
import { resetSession, selectSession } from '../session/session-slice.ts';
import { SignInWays } from './pages/sign-in-ways.tsx';
import { useAppDispatch, useAppSelector } from './state/store.ts';

/**
 * Asks whose session has ended to sign in again, over the page that they have left. The browser makes all else inert, whatever
 * it is and wherever it is mounted, and gives the focus back afterwards.
 */
export function SignInAgain() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { username, email } = useAppSelector(selectSession);
  const name = username || email;
  const [titleId, textId] = [useId(), useId()];
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="card auth-card sign-in-again"
      aria-labelledby={titleId}
      aria-describedby={textId}
      // Neither Escape nor a phone's Back: only a sign-in leads on. Browsers without `closedby` may ask once and then just close.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
      // Keys mean nothing to the dialogs below.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h1 id={titleId} className="auth-message">
        {t('login.label.signIn')}
      </h1>
      <div id={textId} className="sign-in-again-whose">
        <Notice tone="warning" title={t('session.expired')}>
          {t('login.again.whose', { name })}
        </Notice>
      </div>
      <SignInWays username={name} />
      <Button className="sign-in-again-other" variant="link" block onClick={() => dispatch(resetSession())}>
        {t('login.again.other')}
      </Button>
    </dialog>
  );
}
