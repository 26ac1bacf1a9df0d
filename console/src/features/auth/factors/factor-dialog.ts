import type { OwnFactors, Passkey } from '@apotheca/contract/second-factors';

/** The open dialog of the card. */
export type FactorDialog =
  | { kind: 'none' | 'add-totp' | 'add-passkey' | 'renew-codes' }
  | { kind: 'remove-totp'; isOnly: boolean }
  | { kind: 'rename-passkey'; passkey: Passkey }
  | { kind: 'remove-passkey'; passkey: Passkey; isOnly: boolean }
  | { kind: 'codes'; codes: string[] };

/** Whether there is one factor: with it the recovery codes go, and the password alone is enough. */
export const hasOneFactor = ({ totpSinceUtc, passkeys }: OwnFactors): boolean =>
  passkeys.length + (totpSinceUtc === null ? 0 : 1) === 1;

export interface FactorDialogProps {
  show: boolean;
  onClose: () => void;
}

/** Of a dialog that may have made recovery codes, which are shown next. */
export interface CodesDialogProps extends FactorDialogProps {
  onCodes: (codes: string[] | null | undefined) => void;
}

/** What came of a name: the message to show, or why there is none; neither where the person has changed their mind. */
export interface Named {
  message?: string;
  codes?: string[] | null;
  error?: unknown;
}
