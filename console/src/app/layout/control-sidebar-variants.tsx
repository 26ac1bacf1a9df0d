import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../components/field/select.tsx';
import type { SelectOption } from '../../components/field/select-options.tsx';
import { selectLayout, setNavbarVariant, setSidebarSkin } from '../state/layout-slice.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { NAVBAR_VARIANTS, SIDEBAR_SKINS } from '../state/variants.ts';

interface VariantSelectProps {
  label: string;
  options: SelectOption[];
  value: string;
  onChange: (value: string) => void;
}

/**
 * A list that does not contain the chosen value shows its empty option: the lists for light and dark share one value.
 */
function VariantSelect({ label, options, value, onChange }: VariantSelectProps) {
  const id = useId();
  const shown = options.some((option) => option.value === value) ? value : '';
  return (
    <div className="control-sidebar-field">
      <label htmlFor={id}>{label}</label>
      <Select id={id} size="small" options={options} value={shown} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

/** The colour lists of the control sidebar (SPEC §9). The empty option stands for the first colour of the mode. */
export function ControlSidebarVariants() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { navbarVariant, sidebarSkin } = useAppSelector(selectLayout);
  const navbars = (mode: 'light' | 'dark') =>
    NAVBAR_VARIANTS[mode].map(({ value, key }) => ({ value, label: t(`layout.navbar.${key}`) }));
  const skins = (mode: 'light' | 'dark') =>
    SIDEBAR_SKINS[mode].map(({ value, key }) => ({ value, label: t(`layout.skin.${key}`) }));
  const navbar = { value: navbarVariant, onChange: (value: string) => dispatch(setNavbarVariant(value)) };
  const skin = { value: sidebarSkin, onChange: (value: string) => dispatch(setSidebarSkin(value)) };
  return (
    <fieldset>
      <legend>{t('layout.settings.colours')}</legend>
      <VariantSelect {...navbar} label={t('layout.settings.navbarLight')} options={navbars('light')} />
      <VariantSelect {...navbar} label={t('layout.settings.navbarDark')} options={navbars('dark')} />
      <VariantSelect {...skin} label={t('layout.settings.sidebarLight')} options={skins('light')} />
      <VariantSelect {...skin} label={t('layout.settings.sidebarDark')} options={skins('dark')} />
    </fieldset>
  );
}
