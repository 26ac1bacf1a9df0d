type Ask = (leave: () => unknown) => void;

/** Who asks before the page is left, where something on it was changed and not saved. */
let asking: Ask | undefined;

/** Has a page ask before it is left by {@link leaveBy}. @returns ends that */
export function askBeforeLeaving(ask: Ask): () => void {
  asking = ask;
  return () => {
    if (asking === ask) asking = undefined;
  };
}

/** Leaves the page by something else than a link, once nothing is lost by it or the user agrees. */
export const leaveBy: Ask = (leave) => (asking ? asking(leave) : leave());
