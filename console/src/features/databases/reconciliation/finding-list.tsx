import { FINDINGS, type Finding, reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { Badge } from '../../../components/display/badge.tsx';
import { messageText } from '../../../locales/messages.ts';
import { useRefusal } from '../../../rights/rights.tsx';
import { FixFindingDialog } from './fix-finding-dialog.tsx';
import { fixName } from './fix-name.ts';
import { useSubject } from './use-subject.ts';

type Open = { kind: 'none' } | { kind: 'fix'; finding: Finding };

/** The differences between registry and server, each with a button that fixes it. */
export function FindingList({ findings }: { findings: Finding[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  return (
    <>
      <p role="status">{t('databases.reconciliation.found', { count: findings.length })}</p>
      <ul className="findings">
        {findings.map((finding) => (
          <li key={`${finding.kind} ${finding.server} ${finding.subject}`} className="finding">
            <FindingInWords finding={finding} onFix={() => setOpen({ kind: 'fix', finding })} />
          </li>
        ))}
      </ul>
      {dialog.kind === 'fix' && (
        <FixFindingDialog key={key} show={show} finding={dialog.finding} onClose={() => setOpen({ kind: 'none' })} />
      )}
    </>
  );
}

/** A newer server may tell of others. */
const isKnown = ({ kind }: Finding) => Object.hasOwn(FINDINGS, kind);

function FindingInWords({ finding, onFix }: { finding: Finding; onFix: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const fix = fixName(finding);
  const subject = useSubject(finding);
  return (
    <>
      <div className="finding-text">
        <div className="finding-head">
          <Badge tone="warning">
            {t(`databases.reconciliation.kinds.${isKnown(finding) ? finding.kind : 'other'}`)}
          </Badge>
          <strong className="code">{finding.subject}</strong>
          {finding.server !== undefined && <Badge tone="muted">{finding.server}</Badge>}
        </div>
        <p>{messageText(finding.explanation)}</p>
      </div>
      {fix !== undefined && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t('databases.reconciliation.fixOf', { fix: t(fix), subject })}
          refusal={refusal(reconciliationRoutes.fix)}
          onClick={onFix}
        >
          {t(fix)}
        </Button>
      )}
    </>
  );
}
