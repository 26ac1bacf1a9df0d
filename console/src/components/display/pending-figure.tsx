/** What stands in place of a figure: a grey bar while it is loaded, a dash where there is none. */
export function PendingFigure({ isPending }: { isPending: boolean }) {
  return isPending ? <span className="skeleton pending-figure" aria-hidden="true" /> : '–';
}
