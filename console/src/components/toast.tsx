import { CircleCheck, CircleX, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import { IconButton } from './button.tsx';

type ToastType = 'success' | 'error' | 'warning';

interface Message {
  type: ToastType;
  text: string;
}

const ICONS: Record<ToastType, LucideIcon> = { success: CircleCheck, error: CircleX, warning: TriangleAlert };
const AUTO_CLOSE_MS = 1500;

let waiting: Message[] = [];
let collecting = false;

function showNext() {
  const message = waiting.shift();
  if (message) present(message);
}

function present({ type, text }: Message) {
  const Icon = ICONS[type];
  toast(text, {
    type,
    role: type === 'error' ? 'alert' : 'status',
    icon: <Icon className="icon" aria-hidden="true" />,
    onClose: showNext,
  });
}

/**
 * One toast at a time (SPEC §9): a new message replaces the one on show. Messages of one moment belong together, such
 * as those of a refused form (SPEC §8: one toast per message), and follow one another instead.
 */
function show(type: ToastType, text: string) {
  if (collecting) {
    waiting.push({ type, text });
    return;
  }
  waiting = [];
  toast.dismiss();
  present({ type, text });
  collecting = true;
  setTimeout(() => {
    collecting = false;
  });
}

/** Tells the person how something went, for a moment, at the top right. */
export const notify = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  warning: (text: string) => show('warning', text),
};

/** Where the toasts appear; once, at the root of the app. */
export function ToastHost() {
  const { t } = useTranslation();
  return (
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
      closeButton={({ closeToast }) => <IconButton label={t('components.toast.close')} icon={X} onClick={closeToast} />}
    />
  );
}
