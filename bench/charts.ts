// Charts in the colours of the page. The figures themselves stand in the table beside.
import { format, summarise } from './measurements.ts';

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

interface Bar {
  name: string;
  value: number;
  text: string;
}

/** Bars one below another, each with its name above it and its figure behind it. */
export function barChart(label: string, bars: Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const drawn = bars.map(
    ({ name, value, text }) =>
      `<div>${escaped(name)}<div class="bar"><i style="--share:${(value / most).toFixed(3)}"></i>${escaped(text)}</div></div>`,
  );
  return `<div class="bars" role="img" aria-label="${escaped(label)}">${drawn.join('')}</div>`;
}

interface Line {
  name: string;
  values: number[];
  unit?: string;
}

const WIDTH = 360;
const PLOT = { left: 8, right: WIDTH - 64, top: 8, height: 56, gap: 40, tick: 32 };

/** A small plot for each line, all over the same sizes, on logarithmic scales. */
export function lineChart(label: string, sizes: number[], lines: Line[]): string {
  const plots = lines.map((line, index) => plot(line, sizes, index * (PLOT.height + PLOT.gap)));
  const height = lines.length * (PLOT.height + PLOT.gap);
  return `<svg role="img" aria-label="${escaped(label)}" viewBox="0 0 ${WIDTH} ${height}">${plots.join('')}</svg>`;
}

function plot({ name, values, unit }: Line, sizes: number[], y: number): string {
  const known = values.flatMap((value, index) => (value > 0 ? [{ size: sizes[index] ?? 1, value }] : []));
  const x = scale(sizes, PLOT.left, PLOT.right);
  const height = scale(
    known.map(({ value }) => value),
    y + PLOT.top + 16 + PLOT.height - 8,
    y + PLOT.top + 24,
  );
  const points = known.map(({ size, value }) => ({ x: x(size), y: height(value), size, value }));
  const last = points.at(-1);
  // Two that stand close together would cover each other.
  const ticks = sizes.filter((size, index) => x(sizes[index + 1] ?? Number.POSITIVE_INFINITY) - x(size) > PLOT.tick);
  return `<text x="0" y="${y + 12}">${escaped(name)}</text>
    <polyline points="${points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')}"/>
    ${points.map((point) => `<circle cx="${point.x.toFixed(1)}" cy="${point.y.toFixed(1)}" r="3"/>`).join('')}
    ${ticks.map((size) => `<text class="tick" x="${x(size).toFixed(1)}" y="${y + PLOT.top + PLOT.height + 24}">${size.toLocaleString('en-US')}</text>`).join('')}
    ${last ? `<text class="figure" x="${(last.x + 8).toFixed(1)}" y="${(last.y + 4).toFixed(1)}">${escaped(format(summarise([last.value]), unit))}</text>` : ''}`;
}

/** From figures to places, logarithmically. Figures that are all alike stand in the middle. */
function scale(values: number[], from: number, to: number): (value: number) => number {
  const least = Math.log(Math.min(...values));
  const most = Math.log(Math.max(...values));
  return (value) => from + (most > least ? (Math.log(value) - least) / (most - least) : 0.5) * (to - from);
}
