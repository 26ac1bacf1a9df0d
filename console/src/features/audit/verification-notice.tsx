import { auditRoutes, type Verification } from '@apotheca/contract/audit';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetVerificationQuery, useVerifyAuditMutation } from '../../api/audit.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { Button } from '../../components/button/button.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { localMinute } from '../../lib/moment.ts';
import { messageText } from '../../locales/messages.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { usePolling } from '../../rights/use-polling.ts';

/** How often it is asked how far a verification is, and otherwise whether there was one, in milliseconds. */
const POLL_UNDER_WAY = 1_000;
const POLL = 60_000;

/** How the newest verification of the trail ended, in red where it found a break, and a button for another one. */
export function VerificationNotice() {
  const { t } = useTranslation();
  /** Read out; absent: none was under way since the page is shown. */
  const [told, setTold] = useState<'begun' | 'ended'>();
  const { paced, heed } = usePolling(auditRoutes.verification);
  const newest = useGetVerificationQuery(undefined, {
    pollingInterval: paced(told === 'begun' ? POLL_UNDER_WAY : POLL),
    refetchOnMountOrArgChange: true,
  });
  heed(newest.error);
  const [verify, { isLoading, error }] = useVerifyAuditMutation();
  useErrorToast(error);
  const { data } = newest;
  if (data?.isUnderWay && told !== 'begun') setTold('begun');
  if (told === 'begun' && data?.isUnderWay === false && !isLoading && !newest.isFetching) setTold('ended');
  async function begin() {
    // At once: a short one has ended by the time it is asked for.
    setTold('begun');
    if ((await verify()).error) setTold(undefined);
  }
  if (newest.error) return <LoadFailed error={newest.error} busy={newest.isFetching} onRetry={newest.refetch} />;
  if (!data) return null;
  const again = (
    <Button variant="secondary" size="small" loading={isLoading || data.isUnderWay} onClick={() => void begin()}>
      {t('audit.verification.verify')}
    </Button>
  );
  const isBroken = data.problem !== '';
  return (
    <>
      <Notice
        tone={isBroken ? 'danger' : 'info'}
        role={isBroken ? 'alert' : 'status'}
        title={isBroken ? t('audit.verification.broken') : undefined}
        action={again}
      >
        {resultText(t, data)}
      </Notice>
      {/* What is read out: the notice may say the same as before, and the figures change each second. */}
      <p className="visually-hidden" role="status">
        {told && t(`audit.verification.${told}`)}
      </p>
      {data.isUnderWay && (
        <p className="form-text">
          {t('audit.verification.underWay', { checked: data.checked, entries: data.entries })}
        </p>
      )}
    </>
  );
}

function resultText(t: TFunction, { endedOnUtc, verified, problem }: Verification): string {
  if (endedOnUtc === null) return t('audit.verification.never');
  const moment = localMinute(new Date(endedOnUtc));
  return problem === ''
    ? t('audit.verification.intact', { moment, count: verified })
    : t('audit.verification.problem', { moment, problem: messageText(problem) });
}
