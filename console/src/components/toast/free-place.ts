export interface Size {
  width: number;
  height: number;
}

export interface Place {
  left: number;
  top: number;
}

/** Distance in px to the edges of the window; less on a phone, where a toast is nearly as wide as the window. */
const MARGIN = 16;
/** Distance in px between two places that are tried one after another; gaps between controls are mostly wide and low. */
const STEP = { x: 32, y: 8 };

/** How many square px of the controls a box covers at a place. */
export function coveredArea({ left, top }: Place, { width, height }: Size, controls: DOMRect[]): number {
  let area = 0;
  for (const control of controls) {
    const shared = Math.min(left + width, control.right) - Math.max(left, control.left);
    const high = Math.min(top + height, control.bottom) - Math.max(top, control.top);
    if (shared > 0 && high > 0) area += shared * high;
  }
  return area;
}

/** Where a box may stand, the best place first: the corners and edges of the window, then all that lies between. */
function* places(size: Size, viewport: Size, controls: DOMRect[]): Generator<Place> {
  const margin = Math.max(0, Math.min(MARGIN, (viewport.width - size.width) / 2));
  const right = Math.max(0, viewport.width - size.width - margin);
  const bottom = Math.max(0, viewport.height - size.height - margin);
  const [left, top] = [Math.min(margin, right), Math.min(margin, bottom)];
  const centre = (left + right) / 2;
  const atTop = { left: right, top };
  yield atTop;
  const head = controls.filter((control) => coveredArea(atTop, size, [control]) > 0);
  yield { left: right, top: Math.min(bottom, Math.max(top, ...head.map((control) => control.bottom + STEP.y))) };
  yield { left: right, top: bottom };
  yield { left, top: bottom };
  yield { left: centre, top };
  yield { left: centre, top: bottom };
  yield { left, top };
  for (let y = top; y <= bottom; y += STEP.y) {
    for (let x = right; x >= left; x -= STEP.x) yield { left: x, top: y };
  }
}

/** The first place where a box covers none of the controls, else the one where it covers least of them. */
export function freePlace(size: Size, viewport: Size, controls: DOMRect[]): Place {
  let best: Place = { left: 0, top: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (const place of places(size, viewport, controls)) {
    const area = coveredArea(place, size, controls);
    if (area === 0) return place;
    if (area < least) [best, least] = [place, area];
  }
  return best;
}
