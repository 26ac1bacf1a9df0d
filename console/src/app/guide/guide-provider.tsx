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
  /** After a link to a screen: where the guide lies over that, it makes room, and shows the same when it is opened again. */
  makeRoom: () => void;
  /** Opens it with what it showed when it made room, else with all tasks. */
  open: () => void;
}

const nothing = () => undefined;
const GuideContext = createContext<Guide>({
  shown: undefined,
  show: nothing,
  close: nothing,
  makeRoom: nothing,
  open: nothing,
});

export const useGuide = (): Guide => useContext(GuideContext);

/** The button of the top bar, which gets the focus where nothing else can. */
export const GUIDE_BUTTON_ID = 'guide-button';

/** As in the style sheet. */
const isBeside = () => typeof window.matchMedia === 'function' && window.matchMedia('(min-width: 1200px)').matches;

const isGuidePage = (pathname: string) => pathname === PATHS.guide || pathname.startsWith(`${PATHS.guide}/`);

/** Has the guide, which stays open beside the screens while one goes from one to the other. */
export function GuideProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const [left, setLeft] = useState<Shown>();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const opener = useRef<Element>(null);
  const isOnPage = isGuidePage(pathname);
  const guide = useMemo<Guide>(() => {
    function show(next: Shown) {
      if (isOnPage) {
        navigate(next.task === undefined ? PATHS.guide : guideTaskPath(next.task));
        return;
      }
      if (!shown) opener.current = document.activeElement;
      setLeft(undefined);
      setShown(next);
    }
    return {
      // The page shows the same.
      shown: isOnPage ? undefined : shown,
      show,
      close() {
        setShown(undefined);
        const from = opener.current;
        const back = from?.isConnected ? from : document.getElementById(GUIDE_BUTTON_ID);
        if (back instanceof HTMLElement) back.focus();
      },
      makeRoom() {
        if (isBeside()) return;
        setLeft(shown);
        setShown(undefined);
        document.getElementById('content')?.focus();
      },
      open: () => show(left ?? {}),
    };
  }, [shown, left, isOnPage, navigate]);
  return <GuideContext value={guide}>{children}</GuideContext>;
}
