import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { guideTaskPath, PATHS } from '../navigation/paths.ts';
import type { TaskName } from './tasks.ts';

/** What the open guide shows: a task, or all of them. */
export interface Shown {
  task?: TaskName;
}

interface Guide {
  /** Undefined: the guide is closed. */
  shown: Shown | undefined;
  /** Opens the guide beside the screen, or turns to something else in it. On the page of the guide it goes there. */
  show: (shown: Shown) => void;
  /** Closes it, and gives the focus back to what it was opened from. */
  close: () => void;
}

const nothing = () => undefined;
const GuideContext = createContext<Guide>({ shown: undefined, show: nothing, close: nothing });

export const useGuide = (): Guide => useContext(GuideContext);

/** The button of the top bar, which gets the focus where nothing else can. */
export const GUIDE_BUTTON_ID = 'guide-button';

const isGuidePage = (pathname: string) => pathname === PATHS.guide || pathname.startsWith(`${PATHS.guide}/`);

/** Has the guide, which stays open beside the screens while one goes from one to the other. */
export function GuideProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const opener = useRef<Element>(null);
  const isOnPage = isGuidePage(pathname);
  const guide = useMemo<Guide>(
    () => ({
      // The page shows the same.
      shown: isOnPage ? undefined : shown,
      show(next) {
        if (isOnPage) {
          navigate(next.task === undefined ? PATHS.guide : guideTaskPath(next.task));
          return;
        }
        if (!shown) opener.current = document.activeElement;
        setShown(next);
      },
      close() {
        setShown(undefined);
        const from = opener.current;
        const back = from?.isConnected ? from : document.getElementById(GUIDE_BUTTON_ID);
        if (back instanceof HTMLElement) back.focus();
      },
    }),
    [shown, isOnPage, navigate],
  );
  return <GuideContext value={guide}>{children}</GuideContext>;
}
