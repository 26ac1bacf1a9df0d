import { useTranslation } from 'react-i18next';
import { useGetGrowthQuery } from '../../api/findings.ts';
import { Card } from '../../components/display/card.tsx';
import { Curve } from '../../components/display/curve.tsx';
import { formatBytes, formatCount } from '../../lib/numbers.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';

/** Tenants, users and the size of their databases over the last year (SPEC §2.5). */
export function GrowthCard() {
  const { t } = useTranslation();
  const { data, isError, error, isFetching, refetch } = useGetGrowthQuery(undefined, {
    refetchOnMountOrArgChange: true,
    ...KEPT_FRESH,
  });
  const weeks = unlessForbidden(data, error);
  const curves = [
    { name: 'tenants', format: formatCount },
    { name: 'users', format: formatCount },
    { name: 'size', format: formatBytes },
  ] as const;
  return (
    <Card title={t('dashboard.growth.title')} className="growth">
      {isError && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!weeks && !isError && <LoadingText>{t('dashboard.growth.loading')}</LoadingText>}
      {weeks && (
        <>
          <p className="text-muted">{t('dashboard.growth.what')}</p>
          <div className="growth-curves">
            {curves.map(({ name, format }) => (
              <section key={name}>
                <h3>{t(`dashboard.growth.${name}`)}</h3>
                <Curve
                  values={weeks.map(({ day, ...week }) => ({ day, value: week[name === 'size' ? 'sizeBytes' : name] }))}
                  format={format}
                  label={t(`dashboard.growth.${name}`)}
                />
              </section>
            ))}
          </div>
        </>
      )}
    </Card>
  );
}
