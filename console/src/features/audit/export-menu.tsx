import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useExportAuditMutation } from '../../api/audit.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { MenuButton } from '../../components/popup/menu-button.tsx';
import type { AuditFilterState } from './use-audit-filters.ts';

const ENDINGS = { csv: 'csv', json: 'json', trail: 'jsonl' } as const;

/** Downloads what the filter leaves, or the whole trail in the form that can be verified elsewhere. */
export function ExportMenu({ filters }: { filters: AuditFilterState }) {
  const { t } = useTranslation();
  const [exportAudit, { isLoading, error }] = useExportAuditMutation();
  useErrorToast(error);
  const { before: _, ...query } = filters.query;
  const item = (format: keyof typeof ENDINGS) => ({
    label: t(`audit.export.${format}`),
    onSelect: () => void exportAudit({ ...query, format, fileName: `audit.${ENDINGS[format]}` }),
  });
  return (
    <MenuButton
      icon={Download}
      label={t(isLoading ? 'audit.export.busy' : 'audit.export.label')}
      loading={isLoading}
      items={[item('csv'), item('json'), item('trail')]}
    />
  );
}
