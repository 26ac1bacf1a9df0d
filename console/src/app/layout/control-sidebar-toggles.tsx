import type { ActionCreatorWithoutPayload } from '@reduxjs/toolkit';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/field/checkbox.tsx';
import * as layoutSlice from '../state/layout-slice.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';

type SettingKey = keyof typeof import('../../locales/en-pages.json')['layout']['settings'];
type Switch = keyof {
  [K in keyof layoutSlice.LayoutState as layoutSlice.LayoutState[K] extends boolean ? K : never]: K;
};

interface Toggle {
  label: SettingKey;
  setting: Switch;
  toggle: ActionCreatorWithoutPayload;
}

const GROUPS: { legend: SettingKey; toggles: Toggle[] }[] = [
  {
    legend: 'page',
    toggles: [
      { label: 'darkMode', setting: 'darkMode', toggle: layoutSlice.toggleDarkMode },
      { label: 'followsSystem', setting: 'followsSystem', toggle: layoutSlice.toggleFollowsSystem },
      { label: 'boxed', setting: 'layoutBoxed', toggle: layoutSlice.toggleLayoutBoxed },
    ],
  },
  {
    legend: 'header',
    toggles: [
      { label: 'headerFixed', setting: 'headerFixed', toggle: layoutSlice.toggleHeaderFixed },
      { label: 'headerBorder', setting: 'headerBorder', toggle: layoutSlice.toggleHeaderBorder },
    ],
  },
  {
    legend: 'sidebar',
    toggles: [
      { label: 'sidebarCollapsed', setting: 'menuSidebarCollapsed', toggle: layoutSlice.toggleSidebarMenu },
      { label: 'layoutFixed', setting: 'layoutFixed', toggle: layoutSlice.toggleLayoutFixed },
      { label: 'flat', setting: 'menuItemFlat', toggle: layoutSlice.toggleMenuItemFlat },
      { label: 'childIndent', setting: 'menuChildIndent', toggle: layoutSlice.toggleMenuChildIndent },
    ],
  },
  {
    legend: 'footer',
    toggles: [{ label: 'footerFixed', setting: 'footerFixed', toggle: layoutSlice.toggleFooterFixed }],
  },
];

/** The switches of the control sidebar (SPEC §4); each label says what is visible when the switch is on. */
export function ControlSidebarToggles() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const layout = useAppSelector(layoutSlice.selectLayout);
  // Below lg the flag shows the menu instead of collapsing it.
  const nameOf = ({ label }: Toggle): SettingKey =>
    label === 'sidebarCollapsed' && layout.screenSize !== 'lg' ? 'sidebarShown' : label;
  return GROUPS.map(({ legend, toggles }) => (
    <fieldset key={legend}>
      <legend>{t(`layout.settings.${legend}`)}</legend>
      {toggles.map((entry) => (
        <Checkbox
          key={entry.label}
          label={t(`layout.settings.${nameOf(entry)}`)}
          checked={layout[entry.setting]}
          onChange={() => dispatch(entry.toggle())}
        />
      ))}
    </fieldset>
  ));
}
