import type { Backup, BackupCopy } from '@apotheca/contract/backups';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../components/display/badge.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { messageText } from '../../../locales/messages.ts';

/** Failures in a row after which a copy is said to keep failing. */
const KEEPS_FAILING = 3;

const TONES: Record<BackupCopy['state'], Tone> = {
  waiting: 'muted',
  copying: 'info',
  copied: 'success',
  failed: 'danger',
  deleting: 'muted',
};

/**
 * Where a backup's archive lies besides the server's own folder, and how each copy is: in one line, which is cut off, so that what is not
 * well comes first.
 */
export function BackupCopies({ copies }: Pick<Backup, 'copies'>) {
  const { t } = useTranslation();
  const ordered = copies.toSorted((one, other) => Number(one.state === 'copied') - Number(other.state === 'copied'));
  return (
    <ul className="backup-copies backup-copies-line">
      {ordered.map((copy) => (
        <li key={copy.store}>
          <Badge tone={TONES[copy.state]}>{stateText(t, copy)}</Badge> <span className="code">{copy.store}</span>
          {copy.reason !== '' && <span className="text-muted"> {messageText(copy.reason)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The copies of a backup in words, for the filter and the tooltip. */
export const copiesText = (t: TFunction, { copies }: Backup): string =>
  copies.map((copy) => [stateText(t, copy), copy.store, messageText(copy.reason)].filter(Boolean).join(' ')).join('\n');

function stateText(t: TFunction, { state, isEncrypted, attempts }: BackupCopy): string {
  if (state === 'failed') return t('databases.backups.copies.failed', { count: attempts });
  if (state === 'copied' && isEncrypted) return t('databases.backups.copies.encrypted');
  return t(`databases.backups.copies.states.${state}`);
}

interface FailingCopiesProps {
  backups: readonly Backup[];
  /** They are a page of more backups, whose copies are not counted. */
  isPage: boolean;
}

/** Says that copies keep failing, in each store with its last reason; nothing where none does. */
export function FailingCopies({ backups, isPage }: FailingCopiesProps) {
  const { t } = useTranslation();
  const failing = new Map<string, { count: number; reason: string }>();
  for (const { store, attempts, reason } of backups.flatMap(({ copies }) => copies)) {
    if (attempts < KEEPS_FAILING) continue;
    failing.set(store, { count: (failing.get(store)?.count ?? 0) + 1, reason });
  }
  if (failing.size === 0) return null;
  return (
    <Notice tone="danger" title={t(`databases.backups.copies.${isPage ? 'failingOnPage' : 'failing'}`)}>
      <ul className="backup-copies">
        {[...failing].map(([store, { count, reason }]) => (
          <li key={store}>{t('databases.backups.copies.failingIn', { count, store, reason: messageText(reason) })}</li>
        ))}
      </ul>
    </Notice>
  );
}
