import { useEffect } from 'react';

/**
 * Sets `data-more-start` and `data-more-end` on a box that scrolls sideways while something is hidden past that edge,
 * so that the pinned columns cast a shadow only then. Attributes instead of state: scrolling draws nothing again.
 */
export function useScrollEdges(node: HTMLElement | null) {
  useEffect(() => {
    if (!node || typeof ResizeObserver === 'undefined') return;
    const update = () => {
      const hidden = node.scrollWidth - node.clientWidth;
      node.toggleAttribute('data-more-start', node.scrollLeft > 1);
      node.toggleAttribute('data-more-end', node.scrollLeft < hidden - 1);
    };
    node.addEventListener('scroll', update, { passive: true });
    // It tells the first sizes too, once the page is laid out.
    const observer = new ResizeObserver(update);
    observer.observe(node);
    if (node.firstElementChild) observer.observe(node.firstElementChild);
    return () => {
      node.removeEventListener('scroll', update);
      observer.disconnect();
    };
  }, [node]);
}
