import type { PointerEvent } from 'react';
import { WIDTH_MAX, WIDTH_MIN } from './column-chooser.tsx';

/** The right edge of a heading, which is dragged. By keyboard a width is typed in the column chooser. */
export function ColumnEdge({ onDrag }: { onDrag: (width: number) => void }) {
  function handlePointerDown(event: PointerEvent<HTMLElement>) {
    const edge = event.currentTarget;
    const begin = edge.parentElement?.getBoundingClientRect().left;
    if (begin === undefined || event.button !== 0) return;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => onDrag(Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, clientX - begin))));
    edge.onlostpointercapture = () => {
      edge.onpointermove = null;
    };
  }
  return <span className="column-edge" aria-hidden="true" onPointerDown={handlePointerDown} />;
}
