import type { IssuedSecret } from '@apotheca/contract/webhooks';
import { useRef } from 'react';
import type { ShownSecret } from './webhook-dialog.ts';

interface IssuedSecretOptions {
  onIssued: (shown: ShownSecret) => void;
  onClose: () => void;
}

/** Keeps the secret of an answer until its dialog is done, and then shows it; a chat has none. */
export function useIssuedSecret({ onIssued, onClose }: IssuedSecretOptions) {
  const issued = useRef<ShownSecret>(undefined);
  return {
    keep<Outcome extends { data?: { result: IssuedSecret | undefined } }>(name: string, outcome: Outcome): Outcome {
      const secret = outcome.data?.result?.secret;
      issued.current = secret ? { name, secret } : undefined;
      return outcome;
    },
    show: () => (issued.current ? onIssued(issued.current) : onClose()),
  };
}
