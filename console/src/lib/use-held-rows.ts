import { useEffect, useState } from 'react';

interface Options<Row> {
  idOf: (row: Row) => string;
  /** Which list it is, where a place shows one after the other: nothing of the one before is held. */
  list?: string;
  /** How many new rows come at the end while the list is held; absent: all of them wait. */
  room?: number;
}

export interface HeldRows<Row> {
  /** What is shown. */
  rows: readonly Row[] | undefined;
  isHeld: boolean;
  /** Whether the server no longer lists a shown row; another function once others have gone. */
  isGone: (row: Row) => boolean;
  /** The box around the rows, and what it is told by: its `ref`. */
  box: HTMLElement | null;
  setBox: (box: HTMLElement | null) => void;
}

/** A list as it was sent, and what is shown of it. */
interface Shown<Row> extends Pick<HeldRows<Row>, 'rows' | 'isHeld' | 'isGone'> {
  sent: readonly Row[] | undefined;
  list: string;
  room: number;
}

/**
 * Keeps each row where it is while somebody uses the list, that is while the pointer is over it, the last touch was on it, or
 * something in it has the focus: else another row's button would come under the pointer that is about to press one. Meanwhile known rows show
 * what is new about them, those that the server no longer lists stay, and new ones wait, or come at the end. A shown row's button that can do no
 * more is `spent`, not disabled, so that it keeps the focus.
 * @param sent what the server lists, in its order; undefined until it is loaded
 */
export function useHeldRows<Row>(
  sent: readonly Row[] | undefined,
  { idOf, list = '', room = 0 }: Options<Row>,
): HeldRows<Row> {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const isHeld = useIsUsed(box);
  const now = { sent, list, isHeld };
  const [last, setLast] = useState<Shown<Row>>(() => asSent(now, room));
  let shown = last;
  if (last.sent !== sent || last.list !== list || last.isHeld !== isHeld) {
    // What shows nothing has nothing to hold.
    const holds = isHeld && sent && last.rows?.length && last.list === list;
    shown = holds ? held(last, last.rows ?? [], sent, idOf) : asSent(now, room);
    setLast(shown);
  }
  const { rows, isGone } = shown;
  return { rows, isHeld, isGone, box, setBox };
}

const nothing = () => false;

const asSent = <Row>(now: Pick<Shown<Row>, 'sent' | 'list' | 'isHeld'>, room: number): Shown<Row> => ({
  ...now,
  rows: now.sent,
  room,
  isGone: nothing,
});

function held<Row>(
  last: Shown<Row>,
  before: readonly Row[],
  sent: readonly Row[],
  idOf: (row: Row) => string,
): Shown<Row> {
  const known = new Set(before.map(idOf));
  const listed = new Map(sent.map((row) => [idOf(row), row]));
  const added = sent.filter((row) => !known.has(idOf(row))).slice(0, last.room);
  const rows = [...before.map((row) => listed.get(idOf(row)) ?? row), ...added];
  const gone = new Set(rows.filter((row) => !listed.has(idOf(row))));
  return {
    ...last,
    sent,
    isHeld: true,
    rows,
    room: last.room - added.length,
    isGone: gone.size === 0 ? nothing : (row) => gone.has(row),
  };
}

/** Whether the pointer is over a box, or something in it has the focus. */
function useIsUsed(box: HTMLElement | null): boolean {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    if (!box) return;
    const listening = new AbortController();
    const { signal } = listening;
    // Wherever the pointer turns up: it may never tell the box that it has left. A finger counts where it was last.
    const notePointer = ({ target }: Event) => setOver(target instanceof Node && box.contains(target));
    for (const type of ['pointerover', 'pointermove', 'pointerdown'])
      document.addEventListener(type, notePointer, { signal, capture: true });
    const noteLeft = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setOver(false);
    document.documentElement.addEventListener('pointerleave', noteLeft, { signal });
    // Meanwhile the pointer may be anywhere. Where it comes back to the window without a move, it says nothing.
    window.addEventListener('blur', () => setOver(false), { signal });
    window.addEventListener('focus', () => box.matches(':hover') && setOver(true), { signal });
    document.addEventListener('focusin', ({ target }) => setFocus(isInside(box, target)), { signal });
    document.addEventListener('focusout', ({ relatedTarget }) => setFocus(isInside(box, relatedTarget)), { signal });
    return () => {
      listening.abort();
      setOver(false);
      setFocus(false);
    };
  }, [box]);
  // After every draw, as an element that is removed does not say that it has lost the focus.
  useEffect(() => {
    if (hasFocus && !isInside(box, document.activeElement)) setFocus(false);
  });
  return isOver || hasFocus;
}

/** The box itself has the focus once a blank place in it is clicked, and there is nothing to press on it. */
const isInside = (box: HTMLElement | null, target: EventTarget | null): boolean =>
  box !== null && target !== box && target instanceof Node && box.contains(target);
