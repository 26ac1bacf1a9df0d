import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'react-redux';
import { useLocation } from 'react-router';
import { DIALOG, type Drafts, DraftsContext } from '../components/form/drafts.ts';
import { type SessionRoot, selectSession } from '../session/session-slice.ts';
import { useAppSelector } from './state/store.ts';

/** A dialog that the end of a session has closed. */
interface KeptWork {
  userId: string;
  pathname: string;
  parts: Map<string, unknown>;
}

/** Holds at most one. */
interface Keeper {
  kept?: KeptWork;
}

/**
 * Keeps the dialog that was open when a session ended, and what was typed in it: in memory, for the same user at the
 * same address, until that user signs out or another one signs in.
 */
export function KeptWorkProvider({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { id, endedFor } = useAppSelector(selectSession);
  const store = useStore<SessionRoot>();
  const [keeper] = useState<Keeper>({});
  const drafts = useMemo(() => {
    const hasEnded = () => selectSession(store.getState()).endedFor === id;
    return draftsOf(keeper, { userId: id, pathname }, hasEnded);
  }, [keeper, id, pathname, store]);
  useEffect(() => {
    if (keeper.kept && keeper.kept.userId !== (id || endedFor)) keeper.kept = undefined;
  }, [keeper, id, endedFor]);
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

/** @param hasEnded whether the session of `here.userId` ended in another way than by signing out */
function draftsOf(keeper: Keeper, here: Omit<KeptWork, 'parts'>, hasEnded: () => boolean): Drafts {
  const isOfHere = ({ userId, pathname }: KeptWork) => userId === here.userId && pathname === here.pathname;
  const parts = () => (keeper.kept && isOfHere(keeper.kept) ? keeper.kept.parts : undefined);
  return {
    read: (name) => parts()?.get(name),
    keep(name, value) {
      if (here.userId === '' || !hasEnded()) return;
      if (!parts()) keeper.kept = { ...here, parts: new Map() };
      parts()?.set(name, value);
    },
    hasChanges: () => [...(parts()?.keys() ?? [])].some((name) => name !== DIALOG),
    forget() {
      keeper.kept = undefined;
    },
  };
}
