import { type RefObject, useEffect } from 'react';
import { coveredArea, freePlace, type Place } from './free-place.ts';
import { visibleControls } from './visible-controls.ts';

/** How long the page may change under a toast before that is looked at, in milliseconds: what somebody types changes it with each key. */
const PAUSE = 100;

const toastIn = (layer: Element) => layer.querySelector<HTMLElement>('.Toastify__toast');
/** Not of the box that is drawn: a toast may be dragged aside just now. */
const sizeOf = ({ offsetWidth: width, offsetHeight: height }: HTMLElement) => ({ width, height });

function placeLayer(layer: HTMLElement, toast: HTMLElement): Place {
  // Without the scroll bar of the page.
  const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const place = freePlace(sizeOf(toast), viewport, visibleControls(layer));
  layer.style.setProperty('--toast-left', `${place.left}px`);
  layer.style.setProperty('--toast-top', `${place.top}px`);
  return place;
}

/**
 * Places the toast, and again when the window changes its size, or a dialog opens or closes. When anything else on the
 * page moves, it stays where it is unless it would cover a control: somebody may be about to click it.
 * @returns ends that
 */
function keepFree(layer: HTMLElement, toast: HTMLElement): () => void {
  let place = placeLayer(layer, toast);
  let isAnew = false;
  let frame = 0;
  let timer: number | undefined;
  function coversControl() {
    const isUnder = (control: DOMRect) => coveredArea(place, sizeOf(toast), [control]) > 0;
    return visibleControls(layer, isUnder).length > 0;
  }
  function settle() {
    frame = 0;
    clearTimeout(timer);
    timer = undefined;
    if (isAnew || coversControl()) place = placeLayer(layer, toast);
    isAnew = false;
  }
  function settleSoon() {
    frame ||= requestAnimationFrame(settle);
  }
  function placeSoon() {
    isAnew = true;
    settleSoon();
  }
  // A dialog is a child of the body's; one that opens still moves, and comes to its place with the end of a transition.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target === document.body)) placeSoon();
    else timer ??= window.setTimeout(settleSoon, PAUSE);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const ended = new AbortController();
  window.addEventListener('resize', placeSoon, { signal: ended.signal });
  for (const name of ['transitionend', 'scrollend']) {
    document.addEventListener(name, settleSoon, { capture: true, signal: ended.signal });
  }
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    observer.disconnect();
    ended.abort();
  };
}

/** Keeps the toast of a layer where it covers no control; without a toast, it looks at nothing but the layer. */
export function useFreePlace(ref: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const layer = ref.current;
    if (!layer) return;
    let stop: (() => void) | undefined;
    // Before the browser draws the new toast, which is shown by then.
    const observer = new MutationObserver(() => {
      stop?.();
      const toast = toastIn(layer);
      stop = toast ? keepFree(layer, toast) : undefined;
    });
    observer.observe(layer, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      stop?.();
    };
  }, [ref]);
}
