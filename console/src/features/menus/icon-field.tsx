import { Shapes } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps, useField } from '../../components/field/field.tsx';
import { Dropdown } from '../../components/popup/dropdown.tsx';
import { classNames } from '../../lib/class-names.ts';
import { ICON_NAMES, isIcon, MenuIcon } from './menu-icon.tsx';

interface IconFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'required' | 'size'> {
  /** What the field has now. */
  chosen: string;
  onPick: (name: string) => void;
}

/** A field for the name of an icon, which can be typed or picked among those that can be drawn. */
export function IconField({ label, error, required, hint, className, chosen, onPick, ...rest }: IconFieldProps) {
  const { t } = useTranslation();
  const field = { label, error, required, hint };
  const { control, ...ids } = useField(field);
  return (
    <Field {...field} controlId={control.id} {...ids} className={className}>
      <div className="icon-field">
        <input {...rest} {...control} className={classNames('form-control', error !== undefined && 'is-invalid')} />
        <Dropdown
          head={isIcon(chosen) ? <MenuIcon name={chosen} /> : <Shapes className="icon" aria-hidden="true" />}
          headLabel={t('menus.icons.choose')}
          align="end"
        >
          {(close) => (
            <IconChoices
              chosen={chosen}
              onPick={(name) => {
                onPick(name);
                close();
              }}
            />
          )}
        </Dropdown>
      </div>
    </Field>
  );
}

function IconChoices({ chosen, onPick }: Pick<IconFieldProps, 'chosen' | 'onPick'>) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const words = typed.toLowerCase().split(/\s+/);
  const found = ICON_NAMES.filter((name) => words.every((word) => name.includes(word)));
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // Enter would submit the form around it.
    event.preventDefault();
    if (found[0] !== undefined) onPick(found[0]);
  }
  return (
    <div className="icon-choices">
      <input
        type="search"
        className="form-control"
        aria-label={t('menus.icons.search')}
        placeholder={t('menus.icons.search')}
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the panel was opened to search in it.
        autoFocus
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={handleKey}
      />
      <div className="icon-choices-found">
        {found.map((name) => (
          <button
            key={name}
            type="button"
            className="dropdown-item"
            aria-pressed={name === chosen}
            onClick={() => onPick(name)}
          >
            <MenuIcon name={name} />
            {name}
          </button>
        ))}
      </div>
      <p role="status">{found.length === 0 && t('menus.icons.none')}</p>
    </div>
  );
}
