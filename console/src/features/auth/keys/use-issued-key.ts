import type { IssuedApiKey } from '@apotheca/contract/api-keys';
import { useRef } from 'react';
import type { ShownKey } from './key-owner.ts';

interface IssuedKeyOptions {
  onIssued: (key: ShownKey) => void;
  onClose: () => void;
}

/** Keeps the key of an answer until its dialog is done, and then shows it. */
export function useIssuedKey({ onIssued, onClose }: IssuedKeyOptions) {
  const issued = useRef<ShownKey>(undefined);
  return {
    keep<Outcome extends { data?: { result: IssuedApiKey | undefined } }>(name: string, outcome: Outcome): Outcome {
      const result = outcome.data?.result;
      issued.current = result && { name, key: result.key, expiresOnUtc: result.expiresOnUtc };
      return outcome;
    },
    show: () => (issued.current ? onIssued(issued.current) : onClose()),
  };
}
