import { useLocation, useNavigate } from 'react-router';
import { leaveBy } from '../../components/dialog/use-unsaved-guard.ts';
import { signOut } from '../../session/session.ts';
import { stateWith } from '../navigation/opened-dialog.ts';
import { screenOf } from '../navigation/paths.ts';
import { openInTopBar } from '../navigation/top-bar.ts';
import { selectLayout, toggleControlSidebar, toggleDarkMode } from '../state/layout-slice.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import type { Command, Target } from './entry.ts';

/** Does what was chosen. @param onKeyboard opens the sheet of keys */
export function useChoices(onKeyboard: () => void): (choice: Target | { command: Command }) => void {
  const here = useLocation();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const { controlSidebarCollapsed } = useAppSelector(selectLayout);

  function go({ to, dialog }: Target) {
    // The filters of the screen that is shown already stay.
    const isHere = screenOf(here) === to;
    const leave = () => {
      // What had the focus may belong to the screen that is left.
      document.getElementById('content')?.focus({ preventScroll: true });
      void navigate(isHere ? here.pathname + here.search : to, { state: stateWith(dialog) });
    };
    if (isHere) leave();
    else leaveBy(leave);
  }
  const commands: Record<Command, () => unknown> = {
    activity: () => openInTopBar('activity'),
    sessions: () => openInTopBar('sessions'),
    keyboard: onKeyboard,
    settings: () => controlSidebarCollapsed && dispatch(toggleControlSidebar()),
    theme: () => dispatch(toggleDarkMode()),
    signOut: () => dispatch(signOut()),
  };
  return (choice) => ('command' in choice ? commands[choice.command]() : go(choice));
}
