import { useTranslation } from 'react-i18next';
import { ScrollList } from '../../components/display/scroll-list.tsx';

interface NameListProps {
  label: string;
  names: readonly Named[];
}

export interface Named {
  id: string;
  name: string;
}

/** Names in their order under a label. */
export function NameList({ label, names }: NameListProps) {
  const { t } = useTranslation();
  const items = names.toSorted(byName).map(({ id, name }) => ({ id, text: name }));
  return <ScrollList label={label} items={items} emptyText={t('roles.change.nothing')} />;
}

const byName = (one: Named, other: Named) => one.name.localeCompare(other.name, 'en', { numeric: true });
