import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncScope } from './use-sync.ts';

const SCOPES: readonly SyncScope[] = ['catalogue', 'tenant', 'tenants'];

interface SyncScopeChoiceProps {
  scope: SyncScope;
  onChange: (scope: SyncScope) => void;
}

/** Chooses what to sync. */
export function SyncScopeChoice({ scope, onChange }: SyncScopeChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className="sync-scopes">
      <legend className="visually-hidden">{t('permissions.sync.scope')}</legend>
      {SCOPES.map((one) => (
        <div key={one} className="sync-scope">
          <input
            type="radio"
            id={`${id}-${one}`}
            className="form-check-input"
            name={id}
            checked={one === scope}
            aria-describedby={`${id}-${one}-hint`}
            onChange={() => onChange(one)}
          />
          <label htmlFor={`${id}-${one}`}>{t(`permissions.sync.scopes.${one}`)}</label>
          <p id={`${id}-${one}-hint`} className="form-text">
            {t(`permissions.sync.hints.${one}`)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}
