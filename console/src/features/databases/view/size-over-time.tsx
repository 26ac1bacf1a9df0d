import type { DatabaseSize } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseSizesQuery } from '../../../api/databases.ts';
import { Card } from '../../../components/display/card.tsx';
import { formatBytes } from '../../../lib/numbers.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { curveOf, HEIGHT, WIDTH } from './size-curve.ts';

/** What a database took on disk over time: a curve, and the figures behind it. */
export function SizeOverTime({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const { data, isError, error, isFetching, refetch } = useGetDatabaseSizesQuery(
    { databaseName },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Card title={t('databases.view.sizes.title')}>
      {isError && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!data && !isError && <LoadingText>{t('databases.view.sizes.loading')}</LoadingText>}
      {data?.length === 0 && <p className="text-muted">{t('databases.view.sizes.none')}</p>}
      {data && data.length > 0 && <Curve sizes={data} />}
    </Card>
  );
}

function Curve({ sizes }: { sizes: readonly DatabaseSize[] }) {
  const { t } = useTranslation();
  const { line, area, top, first, last } = curveOf(sizes);
  const ends = {
    from: first.day,
    to: last.day,
    before: formatBytes(first.sizeBytes),
    after: formatBytes(last.sizeBytes),
  };
  return (
    <figure className="size-over-time">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('databases.view.sizes.curve', ends)}
      >
        <polygon points={area} />
        <polyline points={line} />
      </svg>
      <span className="size-top num" aria-hidden="true">
        {formatBytes(top)}
      </span>
      <div className="size-ends num" aria-hidden="true">
        <span>{first.day}</span>
        <span>{last.day}</span>
      </div>
      <figcaption>
        {t(sizes.length === 1 ? 'databases.view.sizes.first' : 'databases.view.sizes.curve', ends)}
      </figcaption>
      <details>
        <summary>{t('databases.view.sizes.asTable')}</summary>
        <SizeTable sizes={sizes} />
      </details>
    </figure>
  );
}

/** The figures of the curve, the newest first. */
function SizeTable({ sizes }: { sizes: readonly DatabaseSize[] }) {
  const { t } = useTranslation();
  const label = t('databases.view.sizes.title');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
    <section className="database-tables" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('databases.view.sizes.day')}</th>
            <th scope="col">{t('databases.view.tableSize')}</th>
          </tr>
        </thead>
        <tbody>
          {sizes.toReversed().map(({ day, sizeBytes }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{formatBytes(sizeBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
