// The page with the results: tables with a chart beside each. It loads nothing.
import { barChart, escaped, lineChart } from './charts.ts';
import { summarise } from './measurements.ts';
import { type Cell, type Row, type Table, textOf } from './tables.ts';

/** What was measured, and on what. */
export interface Results {
  /** Commit, machine and time, one a line. */
  about: string[];
  tables: Table[];
}

export function pageOf({ about, tables }: Results): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Apotheca's benchmarks</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Apotheca's benchmarks</h1>
<ul class="about">${about.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>
${tables.map(section).join('\n')}
</main>
</body>
</html>
`;
}

function section(table: Table, index: number): string {
  const heading = `table-${index}`;
  const notes = (table.notes ?? []).map((note) => `<p>${escaped(note)}</p>`).join('');
  return `<section aria-labelledby="${heading}">
<h2 id="${heading}">${escaped(table.title)}</h2>
<div class="beside">
${chartOf(table)}
<div class="scroll" role="region" aria-labelledby="${heading}" tabindex="0">
<table>
<thead><tr>${table.columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('')}</tr></thead>
<tbody>${table.rows.map(rowOf).join('')}</tbody>
</table>
</div>
</div>
${notes}
</section>`;
}

const rowOf = ({ name, cells }: Row): string =>
  `<tr><th scope="row">${escaped(name)}</th>${cells.map((cell) => `<td${verdictOf(cell)}>${escaped(textOf(cell))}</td>`).join('')}</tr>`;

const verdictOf = (cell: Cell): string =>
  typeof cell === 'string' && cell.startsWith('MISSED') ? ' class="missed"' : '';

function chartOf({ title, columns, rows, chart }: Table): string {
  if (chart.kind === 'lines') {
    const lines = rows.map(({ name, cells }) => ({
      name,
      values: chart.sizes.map((_, index) => medianOf(cells[index])),
      unit: cells.map((cell) => (typeof cell === 'string' ? undefined : cell.unit)).find((unit) => unit),
    }));
    return lineChart(`${title}: the figures of the table over the number of tenants`, chart.sizes, lines);
  }
  const bars = rows.flatMap(({ name, cells }) => {
    const cell = cells[chart.cell];
    return cell && typeof cell !== 'string'
      ? [{ name, value: medianOf(cell), text: textOf({ ...cell, figures: [medianOf(cell)] }) }]
      : [];
  });
  return bars.length > 0 ? barChart(`${title}: ${columns[chart.cell + 1]}, as in the table`, bars) : '';
}

const medianOf = (cell: Cell | undefined): number =>
  cell && typeof cell !== 'string' ? summarise(cell.figures).median : 0;

const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e8eaed);
  --muted: light-dark(#57606a, #a3abb5);
  --page: light-dark(#ffffff, #15181c);
  --line: light-dark(#d4d9df, #39404a);
  --missed: light-dark(#b3261e, #ff8a80);
  --ours: light-dark(#0b6bcb, #5aa9f5);
}
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 90rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
.about { padding: 0; list-style: none; color: var(--muted); }
.beside { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) { .beside { grid-template-columns: 22rem minmax(0, 1fr); align-items: start; } }
/* A table that has nothing to draw. */
.beside > .scroll:only-child { grid-column: 1 / -1; }
svg { width: 100%; max-width: 26rem; font: 12px system-ui, sans-serif; fill: var(--text); }
svg .figure { font-variant-numeric: tabular-nums; }
svg .tick { fill: var(--muted); text-anchor: middle; font-size: 10px; }
svg polyline { fill: none; stroke: var(--ours); stroke-width: 2; }
svg circle { fill: var(--ours); }
.bars { max-width: 26rem; font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.bar { display: flex; gap: 0.375rem; align-items: center; margin-bottom: 0.5rem; white-space: nowrap; }
.bar i { width: calc(var(--share) * (100% - 5rem)); min-width: 1px; height: 0.875rem; border-radius: 2px; background: var(--ours); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
tbody th { font-weight: 500; white-space: normal; min-width: 8rem; }
.missed { color: var(--missed); font-weight: 600; }
`;
