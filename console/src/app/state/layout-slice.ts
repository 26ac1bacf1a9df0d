import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { type ScreenSize, screenSizeOf } from './screen-size.ts';
import { navbarVariantOr, sidebarSkinOr } from './variants.ts';

/** The layout settings of SPEC §3. */
export interface LayoutState {
  screenSize: ScreenSize;
  darkMode: boolean;
  /** Dark mode is on where the operating system's is. */
  followsSystem: boolean;
  navbarVariant: string;
  sidebarSkin: string;
  /** Below lg the flag means the opposite, see screen-size.ts. */
  menuSidebarCollapsed: boolean;
  controlSidebarCollapsed: boolean;
  /** True hides the line under the top bar: the spec's name says the opposite. */
  headerBorder: boolean;
  headerFixed: boolean;
  footerFixed: boolean;
  layoutBoxed: boolean;
  menuItemFlat: boolean;
  menuChildIndent: boolean;
  /** True removes the class `layout-fixed` (SPEC §4). */
  layoutFixed: boolean;
}

/** The defaults of SPEC §3 for a window `width` px wide. */
export const defaultLayout = (width: number): LayoutState => ({
  screenSize: screenSizeOf(width),
  darkMode: false,
  followsSystem: false,
  navbarVariant: 'navbar-light',
  sidebarSkin: 'sidebar-light-primary',
  menuSidebarCollapsed: false,
  controlSidebarCollapsed: true,
  headerBorder: false,
  headerFixed: false,
  footerFixed: true,
  layoutBoxed: false,
  menuItemFlat: false,
  menuChildIndent: false,
  layoutFixed: false,
});

function setMode(state: LayoutState, isDark: boolean): void {
  state.darkMode = isDark;
  state.navbarVariant = navbarVariantOr('', isDark);
  state.sidebarSkin = sidebarSkinOr('', isDark);
}

const layoutSlice = createSlice({
  name: 'layout',
  initialState: () => defaultLayout(window.innerWidth),
  reducers: {
    toggleSidebarMenu: (state) => {
      state.menuSidebarCollapsed = !state.menuSidebarCollapsed;
    },
    toggleControlSidebar: (state) => {
      state.controlSidebarCollapsed = !state.controlSidebarCollapsed;
    },
    toggleHeaderBorder: (state) => {
      state.headerBorder = !state.headerBorder;
    },
    toggleHeaderFixed: (state) => {
      state.headerFixed = !state.headerFixed;
    },
    toggleFooterFixed: (state) => {
      state.footerFixed = !state.footerFixed;
    },
    toggleLayoutBoxed: (state) => {
      state.layoutBoxed = !state.layoutBoxed;
    },
    toggleLayoutFixed: (state) => {
      state.layoutFixed = !state.layoutFixed;
    },
    toggleMenuItemFlat: (state) => {
      state.menuItemFlat = !state.menuItemFlat;
    },
    toggleMenuChildIndent: (state) => {
      state.menuChildIndent = !state.menuChildIndent;
    },
    /** By hand, so the system's mode is followed no longer. */
    toggleDarkMode: (state) => {
      state.followsSystem = false;
      setMode(state, !state.darkMode);
    },
    toggleFollowsSystem: (state) => {
      state.followsSystem = !state.followsSystem;
    },
    /** The system's mode is known, or has changed. */
    setSystemMode: (state, { payload: isDark }: PayloadAction<boolean>) => {
      if (state.followsSystem && state.darkMode !== isDark) setMode(state, isDark);
    },
    setNavbarVariant: (state, { payload }: PayloadAction<string>) => {
      state.navbarVariant = navbarVariantOr(payload, state.darkMode);
    },
    setSidebarSkin: (state, { payload }: PayloadAction<string>) => {
      state.sidebarSkin = sidebarSkinOr(payload, state.darkMode);
    },
    setWindowSize: (state, { payload }: PayloadAction<ScreenSize>) => {
      state.screenSize = payload;
    },
  },
  selectors: { selectLayout: (state) => state },
});

export const layoutReducer = layoutSlice.reducer;
export const { selectLayout } = layoutSlice.selectors;
export const {
  toggleSidebarMenu,
  toggleControlSidebar,
  toggleHeaderBorder,
  toggleHeaderFixed,
  toggleFooterFixed,
  toggleLayoutBoxed,
  toggleLayoutFixed,
  toggleMenuItemFlat,
  toggleMenuChildIndent,
  toggleDarkMode,
  toggleFollowsSystem,
  setSystemMode,
  setNavbarVariant,
  setSidebarSkin,
  setWindowSize,
} = layoutSlice.actions;
