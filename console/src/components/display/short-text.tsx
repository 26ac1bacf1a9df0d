/** A short form; the pointer and the focus show the full text. The arrow keys of a list reach it, Tab passes it. */
export function ShortText({ full, children }: { full: string; children: string }) {
  if (full === children) return children;
  return (
    <abbr className="short-text" title={full} tabIndex={-1}>
      {children}
    </abbr>
  );
}
