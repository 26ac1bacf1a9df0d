const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars where the rows will be, while the first load runs. */
export function SkeletonRows({ columns }: { columns: readonly { id: string }[] }) {
  return (
    <tbody aria-hidden="true">
      {ROWS.map((row) => (
        <tr key={row}>
          {columns.map(({ id }) => (
            <td key={id}>
              <span className="skeleton" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
