import { useTranslation } from 'react-i18next';
import { useGetMomentRangeQuery } from '../../api/moments.ts';
import { Notice } from '../../components/notice/notice.tsx';

/** Warns where changes are no longer archived, or the cluster no longer backed up. Nothing where all is well or nobody asked for it. */
export function ArchiveWarning() {
  const { t } = useTranslation();
  const { data } = useGetMomentRangeQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data?.warning) return null;
  return (
    <Notice tone="warning" title={t('dashboard.archiveWarning')}>
      <p>{data.warning}</p>
    </Notice>
  );
}
