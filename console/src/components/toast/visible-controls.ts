/** What takes the focus only so that the keyboard can scroll it is no control; what is in it counts on its own. */
const CONTROLS = [
  'a[href], button, input, select, textarea, summary, [contenteditable="true"]',
  '[role="tab"], [role="checkbox"], [role="switch"], [role="menuitem"]',
  '[tabindex="0"]:not(section, .modal-body)',
].join();

/** The part of an element that lies in the window; undefined where none does. */
function partInWindow(node: Element): DOMRect | undefined {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const part = new DOMRect(x, y, Math.min(right, window.innerWidth) - x, Math.min(bottom, window.innerHeight) - y);
  return part.width > 0 && part.height > 0 ? part : undefined;
}

/** Whether a click at that point, with nothing of the layer over it, goes to the element. */
function isHit(node: Element, layer: Element, x: number, y: number): boolean {
  const hit = document.elementsFromPoint(x, y).find((one) => !layer.contains(one));
  return hit !== undefined && (node.contains(hit) || hit.closest('label')?.control === node);
}

/** Whether the middle of a box, or a point near one of its corners, can be clicked: the rest may lie under others. */
function isHitAnywhere(node: Element, layer: Element, { left, top, right, bottom, width, height }: DOMRect): boolean {
  const [x, y] = [Math.min(2, width / 2), Math.min(2, height / 2)];
  const corners = [left + x, right - x].flatMap((across) =>
    [top + y, bottom - y].map((down) => [across, down] as const),
  );
  return [[left + width / 2, top + height / 2] as const, ...corners].some(([across, down]) =>
    isHit(node, layer, across, down),
  );
}

/**
 * The boxes of all controls that can be clicked now, but for those of a layer above the page.
 * @param matters leaves out boxes before it is found out what a click there hits, which takes most of the time
 */
export function visibleControls(layer: Element, matters: (box: DOMRect) => boolean = () => true): DOMRect[] {
  return [...document.querySelectorAll(CONTROLS)].flatMap((node) => {
    const part = partInWindow(node);
    if (!part || !matters(part) || layer.contains(node) || node.closest('[inert]')) return [];
    return isHitAnywhere(node, layer, part) ? [part] : [];
  });
}
