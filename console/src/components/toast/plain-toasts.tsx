import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button/icon-button.tsx';
import type { Message } from './message.ts';

/** Long enough to read, wherever one looks: nothing holds them. */
const STAY_MS = 10_000;

interface PlainToastsProps {
  /** Those of the last moment. */
  messages: readonly Message[];
  onClose: () => void;
}

/** Shows messages where the code of toasts did not come: without their actions, at one place. */
export function PlainToasts({ messages, onClose }: PlainToastsProps) {
  const { t } = useTranslation();
  const layer = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  // Above a dialog that was opened meanwhile.
  useLayoutEffect(() => {
    if (messages.length === 0) return;
    layer.current?.hidePopover();
    layer.current?.showPopover();
  }, [messages]);
  useEffect(() => {
    if (messages.length === 0 || messages.some(({ lasts }) => lasts)) return;
    const timer = setTimeout(() => close(), STAY_MS);
    return () => clearTimeout(timer);
  }, [messages]);
  if (messages.length === 0) return null;
  const shown = new Map(messages.map((message) => [message.text, message]));
  return (
    <div ref={layer} className="toast-layer" popover="manual">
      <section className="Toastify__toast-container" aria-label={t('components.toast.region')}>
        {[...shown.values()].map(({ type, text, detail }) => (
          <div key={text} className={`Toastify__toast Toastify__toast--${type}`}>
            <span role={type === 'error' ? 'alert' : 'status'}>
              {text}
              {detail && <span className="toast-detail">{detail}</span>}
            </span>
            <IconButton label={t('components.toast.close')} icon={X} onClick={onClose} />
          </div>
        ))}
      </section>
    </div>
  );
}
