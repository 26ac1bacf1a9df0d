import type { Finding } from '@apotheca/contract/findings';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { formatAgo } from '../../lib/ago.ts';
import { daysBetween } from '../../lib/expiry.ts';
import { utcDay } from '../../lib/moment.ts';
import { messageText } from '../../locales/messages.ts';
import { aboutFinding } from './about-finding.ts';

/** An address, or what opens a part of the page. */
export type FindingWay = string | (() => void);

interface FindingRowProps {
  kind: Finding['kind'];
  record: Finding['first'][number];
  /** Where something can be done about it; undefined: not in the console. */
  way: FindingWay | undefined;
}

/** A record of a finding: its name and what is known of it. */
export function FindingRow({ kind, record: { name, detail, at }, way }: FindingRowProps) {
  return (
    <li>
      <Name name={messageText(name)} way={way} />
      {detail !== '' && <span className="finding-detail">{messageText(detail)}</span>}
      {at !== null && <When kind={kind} at={at} />}
    </li>
  );
}

function Name({ name, way }: { name: string; way: FindingWay | undefined }) {
  if (way === undefined) return <b>{name}</b>;
  if (typeof way === 'string') return <Link to={way}>{name}</Link>;
  return (
    <Button variant="link" onClick={way}>
      {name}
    </Button>
  );
}

/** When it began; of a subscription, in how many days it ends or ended. */
function When({ kind, at }: { kind: Finding['kind']; at: string }) {
  const { t } = useTranslation();
  if (aboutFinding(kind).subject !== 'tenants') return <span className="text-muted">{formatAgo(at)}</span>;
  const day = at.slice(0, 10);
  const left = daysBetween(utcDay(), day);
  const words =
    left < 0 ? t('dashboard.findings.ended', { count: -left }) : t('dashboard.findings.ends', { count: left });
  return (
    <span className="text-muted" title={day}>
      {words}
    </span>
  );
}
