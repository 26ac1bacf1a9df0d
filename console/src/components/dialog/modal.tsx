import { X } from 'lucide-react';
import { type CSSProperties, type FocusEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import BootstrapModal from 'react-bootstrap/Modal';
import ModalContext from 'react-bootstrap/ModalContext';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { Button, IconButton } from '../button/button.tsx';
import { useDraftTitle } from '../form/drafts.ts';
import { ReadOnlyForm } from '../form/read-only.tsx';
import { UnappliedContext } from '../form/unapplied.ts';
import { type Failure, FailureNotice, type Retry } from '../notice/failure-notice.tsx';
import { useBackdrop } from './use-backdrop.ts';
import { useBusyFocus, useFocusAfterwards, useKeptFocus } from './use-dialog-focus.ts';
import { useTabInside } from './use-tab-inside.ts';
import { type Agree, useUnsavedGuard } from './use-unsaved-guard.ts';

/** Whether to fade: not where the user prefers reduced motion, nor outside of a browser. */
const fades = () => window.matchMedia?.('(prefers-reduced-motion: no-preference)').matches ?? false;

export interface ModalProps {
  show: boolean;
  title: string;
  subtitle?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** A CSS length such as '73vh', kept by a dialog that loads what it shows; absent: the height of the content. */
  bodyHeight?: string;
  /** The buttons, the primary one last. A submit button outside its form names it by the `form` attribute. */
  footer: ReactNode;
  onClose: () => void;
  /** Called once the dialog has faded out and the focus is where it was. */
  onClosed?: () => void;
  /** Why the last attempt failed; stands above the buttons until the next attempt. */
  failure?: Failure;
  /** Makes that attempt again, as the primary button does. */
  retry?: Retry;
  /** Something was typed: the backdrop, Escape, the cross, Back, a reload and the button of a toast ask before it is lost. */
  dirty?: boolean;
  /** What it shows cannot be seen again: the same ways of closing it ask first. */
  isShownOnce?: boolean;
  /** What was typed is being saved: nothing can be changed, and the dialog stays open. */
  busy?: boolean;
  /** A column next to the body on wide screens, such as links to the sections of a long form. */
  aside?: ReactNode;
  /** Without padding around the body, for tabs that reach the edges. */
  flush?: boolean;
  /** Why nothing of it can be saved by the signed-in person: the body says so, and can only be read. */
  saveRefusal?: string | undefined;
  /** Nothing in the body takes the focus: the body does, so that it can be scrolled by keyboard. */
  isText?: boolean;
  children: ReactNode;
}

/**
 * A dialog: sticky header and footer, scrolling body; it traps the focus and gives it back. While one is open the body
 * has the class `modal-open` (SPEC §4); it fades for 300 ms, its backdrop for 150 ms (SPEC §9).
 */
export function Modal({ show, title, subtitle, size = 'md', bodyHeight, footer, onClose, ...rest }: ModalProps) {
  const {
    dirty = false,
    isShownOnce = false,
    busy = false,
    aside,
    flush = false,
    saveRefusal,
    isText = saveRefusal !== undefined,
    failure,
    retry,
    onClosed,
    children,
  } = rest;
  const titleId = useId();
  const [main, heading] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const handleExited = useFocusAfterwards(show, onClosed);
  useBusyFocus(busy, main);
  useKeptFocus(show, main);
  useTabInside(show, main);
  const [unapplied, setUnapplied] = useState(0);
  const [countUnapplied] = useState(() => (change: 1 | -1) => setUnapplied((count) => count + change));
  const isTyped = dirty || unapplied > 0;
  const asks = isTyped || isShownOnce;
  const { isAsking, requestClose, requestLeave, keepEditing, discard, noteFocus } = useCloseRequest({
    ...{ show, asks, busy, onClose, main },
  });
  useUnsavedGuard(show && asks, { onBack: requestClose, onLeave: requestLeave });
  useDraftTitle(show && dirty, heading);
  const backdrop = useBackdrop(requestClose);
  const style: CSSProperties & { '--modal-body-height'?: string } = { '--modal-body-height': bodyHeight };
  return (
    <BootstrapModal
      show={show}
      {...backdrop}
      onExited={handleExited}
      onFocus={noteFocus}
      animation={fades()}
      size={size === 'md' ? undefined : size}
      scrollable
      centered
      fullscreen="sm-down"
      aria-labelledby={titleId}
    >
      {/* Buttons inside close at once: only the backdrop waits. */}
      <ModalContext.Provider value={{ onHide: requestClose }}>
        <ModalHeader {...{ heading, titleId, title, subtitle, busy }} onClose={requestClose} />
        <div
          ref={main}
          className={classNames('modal-main', aside !== undefined && 'modal-main-aside')}
          style={style}
          inert={busy}
        >
          {aside !== undefined && <div className="modal-aside">{aside}</div>}
          <div className={classNames('modal-body', flush && 'modal-body-flush')} tabIndex={isText ? 0 : undefined}>
            <UnappliedContext value={countUnapplied}>
              <ReadOnlyForm refusal={saveRefusal}>{children}</ReadOnlyForm>
            </UnappliedContext>
          </div>
        </div>
        {failure !== undefined && !busy && (
          <div className="modal-failure">
            <FailureNotice failure={failure} retry={retry} />
          </div>
        )}
        {isAsking && <DiscardBar of={isTyped ? 'discard' : 'shownOnce'} onKeep={keepEditing} onDiscard={discard} />}
        <div className="modal-footer">{footer}</div>
      </ModalContext.Provider>
    </BootstrapModal>
  );
}

/**
 * Closes, or leaves the page, but asks first where something would be lost; whoever keeps it gets the focus back where it was in the
 * dialog: a toast that leads away may have given it to the page below by then.
 */
function useCloseRequest({
  show,
  asks,
  busy,
  onClose,
  main,
}: Required<Pick<ModalProps, 'show' | 'busy' | 'onClose'>> & { asks: boolean; main: RefObject<HTMLElement | null> }) {
  const [asked, setAsked] = useState<{ agree?: Agree }>();
  const editing = useRef<Element>(null);
  if (asked && (!show || !asks || busy)) setAsked(undefined);

  function ask(next: { agree?: Agree }) {
    const { activeElement } = document;
    if (!asked && main.current?.closest('[role="dialog"]')?.contains(activeElement)) editing.current = activeElement;
    setAsked(next);
  }
  /** Not of a dialog above this one, which React takes for a part of it. */
  function noteFocus({ target }: FocusEvent<HTMLElement>) {
    if (main.current?.contains(target)) editing.current = target;
  }
  function requestClose() {
    if (busy) return;
    if (!asks) return onClose();
    ask({});
  }
  function keepEditing() {
    setAsked(undefined);
    if (editing.current instanceof HTMLElement) editing.current.focus();
  }
  function discard() {
    if (!asked?.agree) return onClose();
    setAsked(undefined);
    // Where the page asks too, and stays, so does the dialog. It is closed before the address is another one: what goes afterwards is
    // kept as a draft.
    asked.agree(() => flushSync(onClose));
  }
  const requestLeave = (agree: Agree) => !busy && ask({ agree });
  return { isAsking: asked !== undefined, requestClose, requestLeave, keepEditing, discard, noteFocus };
}

interface ModalHeaderProps extends Pick<ModalProps, 'title' | 'subtitle' | 'busy' | 'onClose'> {
  heading: RefObject<HTMLDivElement | null>;
  titleId: string;
}

function ModalHeader({ heading, titleId, title, subtitle, busy, onClose }: ModalHeaderProps) {
  const { t } = useTranslation();
  return (
    <div className="modal-header">
      <div ref={heading}>
        <h2 className="modal-title" id={titleId}>
          {title}
        </h2>
        {subtitle !== undefined && <div className="modal-subtitle">{subtitle}</div>}
      </div>
      <IconButton label={t('components.modal.close')} icon={X} aria-disabled={busy || undefined} onClick={onClose} />
    </div>
  );
}

interface DiscardBarProps {
  of: 'discard' | 'shownOnce';
  onKeep: () => void;
  onDiscard: () => void;
}

function DiscardBar({ of, onKeep, onDiscard }: DiscardBarProps) {
  const { t } = useTranslation();
  return (
    <div className="modal-discard" role="alert">
      <strong>{t(`components.modal.${of}.question`)}</strong>
      <Button variant="secondary" size="small" autoFocus onClick={onKeep}>
        {t(`components.modal.${of}.keep`)}
      </Button>
      <Button variant="danger" size="small" onClick={onDiscard}>
        {t(`components.modal.${of}.close`)}
      </Button>
    </div>
  );
}
