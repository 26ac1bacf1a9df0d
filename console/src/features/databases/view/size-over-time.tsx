import type { DatabaseSize } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseSizesQuery } from '../../../api/databases.ts';
import { Card } from '../../../components/display/card.tsx';
import { Curve } from '../../../components/display/curve.tsx';
import { formatBytes } from '../../../lib/numbers.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { unlessForbidden } from '../../../transport/api-error.ts';

/** What a database took on disk over time: a curve, and the figures behind it. */
export function SizeOverTime({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const { data, isError, error, isFetching, refetch } = useGetDatabaseSizesQuery(
    { databaseName },
    { refetchOnMountOrArgChange: true },
  );
  const sizes = unlessForbidden(data, error);
  return (
    <Card title={t('databases.view.sizes.title')}>
      {isError && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!sizes && !isError && <LoadingText>{t('databases.view.sizes.loading')}</LoadingText>}
      {sizes?.length === 0 && <p className="text-muted">{t('databases.view.sizes.none')}</p>}
      {sizes && sizes.length > 0 && <Sizes sizes={sizes} />}
    </Card>
  );
}

function Sizes({ sizes }: { sizes: readonly DatabaseSize[] }) {
  const { t } = useTranslation();
  const values = sizes.map(({ day, sizeBytes }) => ({ day, value: sizeBytes }));
  const [first] = sizes;
  const caption =
    first && sizes.length === 1
      ? t('databases.view.sizes.first', { after: formatBytes(first.sizeBytes), to: first.day })
      : undefined;
  return <Curve values={values} format={formatBytes} label={t('databases.view.tableSize')} caption={caption} />;
}
