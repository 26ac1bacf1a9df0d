import '../../../locales/factors.ts';
import type { OwnFactors } from '@apotheca/contract/second-factors';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetOwnFactorsQuery } from '../../../api/factors.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import { Button } from '../../../components/button/button.tsx';
import { Card } from '../../../components/display/card.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import type { FactorDialog } from './factor-dialog.ts';
import { FactorDialogs } from './factor-dialogs.tsx';
import { PasskeyRows } from './passkey-rows.tsx';

interface SectionProps {
  factors: OwnFactors;
  onOpen: (dialog: FactorDialog) => void;
}

/** By what the signed-in user signs in beside the password: an authenticator app, passkeys, recovery codes. */
export function FactorsCard({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation();
  const { data: factors, error, isFetching, refetch } = useGetOwnFactorsQuery(undefined, KEPT_FRESH);
  const [dialog, setDialog] = useState<FactorDialog>({ kind: 'none' });
  return (
    <Card title={t('factors.card.title')}>
      {factors && <Sections factors={factors} hasPassword={hasPassword} onOpen={setDialog} />}
      {!factors && isFetching && <Spinner label={t('factors.card.loading')} />}
      {!factors && !isFetching && error && <RetryNotice onRetry={refetch}>{errorText(error)}</RetryNotice>}
      <FactorDialogs dialog={dialog} onOpen={setDialog} />
    </Card>
  );
}

function Sections({ hasPassword, ...props }: SectionProps & { hasPassword: boolean }) {
  const { t } = useTranslation();
  const { totpSinceUtc, passkeys, isRequired } = props.factors;
  const hasNone = totpSinceUtc === null && passkeys.length === 0;
  return (
    <>
      {((hasNone && hasPassword) || isRequired) && (
        <Notice tone={hasNone ? 'warning' : 'info'}>
          {t(isRequired ? 'factors.card.required' : 'factors.card.none')}
        </Notice>
      )}
      <TotpRow {...props} />
      <PasskeyRows {...props} />
      <CodesRow {...props} />
    </>
  );
}

function TotpRow({ factors, onOpen }: SectionProps) {
  const { t } = useTranslation();
  const { totpSinceUtc } = factors;
  const isSetUp = totpSinceUtc !== null;
  return (
    <div className="factor-row">
      <div>
        <h3 className="factor-section">{t('factors.card.totp')}</h3>
        <span className="text-muted">
          {isSetUp
            ? t('factors.card.totpSince', { moment: localMinute(new Date(totpSinceUtc)) })
            : t('factors.card.totpNone')}
        </span>
      </div>
      <Button variant="secondary" onClick={() => onOpen(isSetUp ? { kind: 'remove-totp' } : { kind: 'add-totp' })}>
        {t(isSetUp ? 'factors.card.totpRemove' : 'factors.card.totpAdd')}
      </Button>
    </div>
  );
}

function CodesRow({ factors: { totpSinceUtc, passkeys, recoveryCodesLeft: count }, onOpen }: SectionProps) {
  const { t } = useTranslation();
  const hasFactor = totpSinceUtc !== null || passkeys.length > 0;
  return (
    <div className="factor-row">
      <div>
        <h3 className="factor-section">{t('factors.card.codes')}</h3>
        <span className="text-muted">
          {hasFactor ? t('factors.card.codesLeft', { count }) : t('factors.card.codesNone')}
        </span>
      </div>
      {hasFactor && (
        <Button variant="secondary" onClick={() => onOpen({ kind: 'renew-codes' })}>
          {t('factors.card.codesRenew')}
        </Button>
      )}
    </div>
  );
}
