import { useTranslation } from 'react-i18next';
import { useGetSignInWaysQuery } from '../../api/account.ts';
import { Badge } from '../../components/display/badge.tsx';
import { Card } from '../../components/display/card.tsx';
import { Image } from '../../components/display/image.tsx';
import { AccountCard } from '../../features/account/account-card.tsx';
import { LanguageCard } from '../../features/account/language-card.tsx';
import { PasswordCard } from '../../features/account/password-card.tsx';
import { FactorsCard } from '../../features/auth/factors/factors-card.tsx';
import { ApiKeysCard } from '../../features/auth/keys/api-keys-card.tsx';
import { SessionsTable } from '../../features/auth/sessions/sessions-table.tsx';
import { AlertsCard } from '../../features/webhooks/alerts-card.tsx';
import { type SessionState, selectSession } from '../../session/session-slice.ts';
import { useAppSelector } from '../state/store.ts';
import { PageHeader } from './page-header.tsx';

const PICTURE = '/img/default-profile.png';
const FACTS = ['username', 'email', 'phone', 'role'] as const;
const SAMPLES = ['review', 'training', 'welcome'] as const;

/** The signed-in user's account, a card for each part of it; then the sample timeline of the placeholder (SPEC §2.1). */
export function ProfilePage() {
  const { t } = useTranslation();
  const session = useAppSelector(selectSession);
  // Whom a provider signs in has none, or may not use it.
  const hasPassword = useGetSignInWaysQuery().data?.password !== false;
  const owner = { name: session.username || session.email, isService: false };
  return (
    <>
      <PageHeader title={t('main.page.profile')} />
      <div className="profile">
        <PersonCard session={session} />
        <div className="profile-cards">
          <AccountCard />
          <LanguageCard />
          {hasPassword && <PasswordCard />}
          <FactorsCard hasPassword={hasPassword} />
          <AlertsCard />
          <Card title={t('sessions.title')} flush>
            <SessionsTable />
          </Card>
          <ApiKeysCard owner={owner} />
          <SampleTimeline />
        </div>
      </div>
    </>
  );
}

function PersonCard({ session }: { session: SessionState }) {
  const { t } = useTranslation();
  const name = `${session.firstName} ${session.lastName}`.trim() || session.username;
  return (
    <Card className="profile-person">
      <Image src={PICTURE} fallbackSrc={PICTURE} alt="" width={100} height={100} rounded />
      <h2>{name}</h2>
      <dl>
        {FACTS.map((fact) => (
          <div key={fact}>
            <dt>{t(`profile.facts.${fact}`)}</dt>
            <dd>{session[fact] || <span className="text-muted">{t('profile.none')}</span>}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function SampleTimeline() {
  const { t } = useTranslation();
  return (
    <Card title={t('main.label.timeline')} actions={<Badge tone="info">{t('profile.sample')}</Badge>}>
      <p className="text-muted">{t('profile.sampleHint')}</p>
      <ol className="timeline">
        {SAMPLES.map((sample) => (
          <li key={sample}>
            <h3>{t(`profile.samples.${sample}.title`)}</h3>
            <p>{t(`profile.samples.${sample}.text`)}</p>
            <span className="text-muted">{t(`profile.samples.${sample}.when`)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
