import type { Permission } from '@apotheca/contract/permissions';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { textSearch } from '../../lib/text-search.ts';
import type { Chosen } from './use-chosen.ts';

interface PermissionMatrixProps {
  permissions: readonly Permission[];
  chosen: Chosen;
  /** Nothing can be chosen: the role has everything, always, or may not be changed by the signed-in person. */
  disabled: boolean;
}

const search = textSearch<Permission>(({ name, identifier, module }) => [name, identifier, module]);

/** All permissions by module, each to be chosen, with a search. */
export function PermissionMatrix({ permissions, chosen, disabled }: PermissionMatrixProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const sought = useDeferredValue(text);
  const shown = useMemo(() => permissions.filter(search(sought)), [permissions, sought]);
  const modules = useMemo(() => [...Map.groupBy(shown, ({ module }) => module)], [shown]);
  const count = permissions.filter(({ id }) => chosen.isChosen(id)).length;
  return (
    <div className="permission-matrix">
      <div className="permission-matrix-head">
        <FilterField label={t('roles.matrix.filter')} value={text} onChange={setText} hasKey={false} />
        <span className="num text-muted" role="status">
          {t('roles.matrix.count', { count, total: permissions.length })}
        </span>
      </div>
      {modules.map(([module, inside]) => (
        <ModuleGroup key={module} module={module} permissions={inside} chosen={chosen} disabled={disabled} />
      ))}
      {modules.length === 0 && <p className="text-muted">{t('permissions.noMatch')}</p>}
    </div>
  );
}

/** The permissions of one module that the search finds; the first box chooses them all, or none. */
function ModuleGroup({ module, permissions, chosen, disabled }: PermissionMatrixProps & { module: string }) {
  const { t } = useTranslation();
  const ids = permissions.map(({ id }) => id);
  const count = ids.filter(chosen.isChosen).length;
  return (
    <fieldset disabled={disabled}>
      <legend>{module}</legend>
      <Checkbox
        className="permission-matrix-all"
        label={t('roles.matrix.all', { count, total: ids.length })}
        checked={count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => chosen.choose(ids, event.target.checked)}
      />
      <ul>
        {permissions.map(({ id, name, identifier, isActive }) => (
          <li key={id}>
            <Checkbox
              label={
                <>
                  {name} <span className="code text-muted">{identifier}</span>
                  {!isActive && <span className="text-muted"> ({t('permissions.inactive')})</span>}
                </>
              }
              checked={chosen.isChosen(id)}
              onChange={(event) => chosen.choose([id], event.target.checked)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
