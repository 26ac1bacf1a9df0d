import type { Placement } from './data-table-placement.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars in place of the rows during the first load. */
export function SkeletonRows<Row>({ placement }: { placement: Placement<Row> }) {
  return (
    <tbody aria-hidden="true">
      {ROWS.map((row) => (
        <tr key={row}>
          {placement.columns.map(
            ({ column, area }) =>
              area && (
                <td key={column.id} style={area}>
                  <span className="skeleton" />
                </td>
              ),
          )}
        </tr>
      ))}
    </tbody>
  );
}
