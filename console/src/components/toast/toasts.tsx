import { CircleCheck, CircleX, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import { Button, IconButton } from '../button/button.tsx';
import type { Message, ToastAction, ToastType } from './message.ts';
import { useFreePlace } from './use-free-place.ts';

const ICONS: Record<ToastType, LucideIcon> = { success: CircleCheck, error: CircleX, warning: TriangleAlert };
const AUTO_CLOSE_MS = 1500;
/** With a button or a detail: long enough to read, to decide and to reach the button by keyboard. */
const LONG_CLOSE_MS = 10_000;

let waiting: Message[] = [];

function showNext() {
  const message = waiting.shift();
  if (message) present(message);
}

function present({ type, text, detail, actions = [], cause, lasts = false }: Message) {
  const Icon = ICONS[type];
  const isLong = actions.length > 0 || detail !== undefined;
  toast(isLong ? <TextWithActions text={text} detail={detail} actions={actions} cause={cause} /> : text, {
    ...(isLong && { autoClose: LONG_CLOSE_MS }),
    type,
    role: type === 'error' ? 'alert' : 'status',
    icon: <Icon className="icon" aria-hidden="true" />,
    onClose: showNext,
    ...(lasts && { autoClose: false as const }),
  });
}

interface TextWithActionsProps extends Pick<Message, 'text' | 'detail' | 'cause'> {
  actions: readonly ToastAction[];
}

/**
 * The text of a toast and its buttons. Alt+T focuses the toast from anywhere, so that Tab reaches them; it stays while one of them
 * has the focus.
 */
function TextWithActions({ text, detail, actions, cause }: TextWithActionsProps) {
  function handleClick({ currentTarget }: MouseEvent<HTMLElement>, { onSelect }: ToastAction) {
    const hadFocus = currentTarget === document.activeElement;
    toast.dismiss();
    // First, as who is asked before the page is left and stays goes on there.
    if (hadFocus && cause instanceof HTMLElement && cause.isConnected) cause.focus();
    onSelect();
  }
  return (
    <span className="toast-with-actions">
      <span>
        <span>{text}</span>
        {detail && <span className="toast-detail">{detail}</span>}
      </span>
      {actions.length > 0 && (
        <span className="toast-actions">
          {actions.map((action) => (
            <Button
              key={action.label}
              variant="secondary"
              size="small"
              aria-keyshortcuts="Alt+T"
              onFocus={() => toast.pause()}
              onBlur={() => toast.play()}
              onClick={(event) => handleClick(event, action)}
            >
              {action.label}
            </Button>
          ))}
        </span>
      )}
    </span>
  );
}

/**
 * Shows one toast at a time (SPEC §9): a new message replaces the current one. Messages of the same moment belong
 * together, such as those of a refused form (SPEC §8: one toast per message), and are shown one after another.
 */
export function show(message: Message): void {
  if (message.follows) {
    waiting.push(message);
    return;
  }
  waiting = [];
  toast.dismiss();
  present(message);
}

/** The place of the toasts: a layer of the browser's, brought above all others, such as the sign-in, by each new toast. */
export function Toasts() {
  const { t } = useTranslation();
  const layer = useRef<HTMLDivElement>(null);
  useFreePlace(layer);
  // Before the effects of what is inside, which shows the toasts that have come meanwhile.
  useLayoutEffect(
    () =>
      toast.onChange(({ status }) => {
        if (status !== 'added') return;
        layer.current?.hidePopover();
        layer.current?.showPopover();
      }),
    [],
  );
  return (
    <div ref={layer} className="toast-layer" popover="manual">
      <ToastContainer
        position="top-right"
        autoClose={AUTO_CLOSE_MS}
        newestOnTop
        pauseOnHover
        pauseOnFocusLoss
        draggable="touch"
        draggablePercent={80}
        theme="light"
        transition={false}
        aria-label={t('components.toast.region')}
        closeButton={({ closeToast }) => (
          <IconButton label={t('components.toast.close')} icon={X} onClick={closeToast} />
        )}
      />
    </div>
  );
}
