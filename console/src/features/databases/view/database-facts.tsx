import type { DatabaseDetails } from '@apotheca/contract/databases';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Day } from '../../../components/display/day.tsx';
import { Fact as DisplayedFact, Facts } from '../../../components/display/facts.tsx';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';
import { TenantName } from '../tenant-name.tsx';

/** The facts about a database as a whole. */
export function DatabaseFacts({ details }: { details: DatabaseDetails }) {
  return (
    <Facts className="database-facts">
      <Fact name="size">{formatBytes(details.sizeBytes)}</Fact>
      <Fact name="schemaVersion">{details.schemaVersion}</Fact>
      <Fact name="connections">{formatCount(details.connections)}</Fact>
      <Fact name="createdOn">
        <Day moment={details.createdOnUtc} />
      </Fact>
      <Fact name="tenant" wide>
        <TenantName database={details} />
      </Fact>
      {details.copiedFrom !== null && (
        <Fact name="copiedFrom" wide>
          <span className="code">{details.copiedFrom}</span>
        </Fact>
      )}
      <Fact name="physicalName" wide>
        <span className="code">{details.physicalName}</span>
      </Fact>
      <Fact name="roleName" wide>
        <span className="code">{details.roleName}</span>
      </Fact>
    </Facts>
  );
}

type FactName = keyof typeof import('../../../locales/en-pages.json')['databases']['view']['facts'];

function Fact({ name, wide, children }: { name: FactName; wide?: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <DisplayedFact label={t(`databases.view.facts.${name}`)} wide={wide}>
      <span className="num">{children}</span>
    </DisplayedFact>
  );
}
