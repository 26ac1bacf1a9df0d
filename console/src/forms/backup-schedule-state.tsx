import type { ScheduledDatabase } from '@apotheca/contract/backup-schedules';
import { useTranslation } from 'react-i18next';
import { Badge } from '../components/display/badge.tsx';
import { Moment } from '../components/display/moment.tsx';
import { Notice } from '../components/notice/notice.tsx';
import { messageText } from '../locales/messages.ts';

/** When a database is backed up next, how the last time ended, and whether its newest backup is late. */
export function BackupScheduleState({ state }: { state: ScheduledDatabase }) {
  const { t } = useTranslation();
  return (
    <>
      <dl className="manage-facts">
        <div>
          <dt>{t('backupSchedule.nextRun')}</dt>
          <dd>
            <NextRun state={state} />
          </dd>
        </div>
        <div>
          <dt>{t('backupSchedule.lastResult')}</dt>
          <dd>
            <LastResult state={state} /> {state.isLate && <Badge tone="danger">{t('backupSchedule.late')}</Badge>}
          </dd>
        </div>
      </dl>
      {state.lastResult === 'failed' && (
        <Notice tone="warning">
          {messageText(state.lastMessage)} {state.retryOnUtc && <Retry moment={state.retryOnUtc} />}
        </Notice>
      )}
    </>
  );
}

function Retry({ moment }: { moment: string }) {
  const { t } = useTranslation();
  return (
    <>
      {t('backupSchedule.retry')} <Moment moment={moment} zoned />
    </>
  );
}

/** When the next backup is due, or after a failure the next attempt; or that it is under way. */
export function NextRun({ state: { isRunning, nextRunOnUtc, retryOnUtc } }: { state: ScheduledDatabase }) {
  const { t } = useTranslation();
  if (isRunning) return <Badge tone="info">{t('backupSchedule.runningNow')}</Badge>;
  const moment = retryOnUtc ?? nextRunOnUtc;
  return moment ? <Moment moment={moment} zoned /> : <Absent text={t('backupSchedule.none')} />;
}

/** Says that there is nothing; on a card, which has no headings, the text would say nothing of what. */
const Absent = ({ text }: { text: string }) => <span className="absent">{text}</span>;

const TONES = { succeeded: 'success', failed: 'danger', cancelled: 'warning' } as const;

/** How the last scheduled backup ended. */
export function LastResult({ state: { lastResult } }: { state: ScheduledDatabase }) {
  const { t } = useTranslation();
  if (!lastResult) return <Absent text={t('backupSchedule.never')} />;
  return <Badge tone={TONES[lastResult]}>{t(`backupSchedule.results.${lastResult}`)}</Badge>;
}
