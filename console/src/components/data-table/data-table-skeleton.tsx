const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars in place of the rows during the first load. */
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
