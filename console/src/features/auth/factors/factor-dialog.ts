import type { OwnFactors, Passkey } from '@apotheca/contract/second-factors';

/** The open dialog of the card. */
export type FactorDialog =
  | { kind: 'none' | 'add-totp' | 'remove-totp' | 'add-passkey' | 'renew-codes' }
  | { kind: 'rename-passkey' | 'remove-passkey'; passkey: Passkey }
  | { kind: 'codes'; codes: string[] };

/**
 * Whether there is no factor beside this one: with it the recovery codes go, and the password alone is enough.
 * @param passkey absent: the authenticator app
 */
export const isOnlyFactor = ({ totpSinceUtc, passkeys }: OwnFactors, passkey?: Passkey): boolean =>
  (passkey === undefined || totpSinceUtc === null) && passkeys.every(({ id }) => id === passkey?.id);

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
