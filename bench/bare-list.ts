import type { Page } from '@playwright/test';

/** A list of the console: what it asks for, and where a row has its name. */
export interface BareSource {
  call: string;
  field: string;
  token: string;
}

/** More than fit on the screen. */
const SHOWN = 20;

/**
 * The least that a list costs a browser: a page that reads the same answer, writes as many rows as fit as HTML, and writes them anew when
 * they are filtered or sorted.
 */
export async function openBareList(page: Page, source: BareSource): Promise<void> {
  await page.evaluate(
    async ({ call, field, token, shown }) => {
      const answer = await fetch(call, { headers: { authorization: `Bearer ${token}` } });
      const { result } = await answer.json();
      const rows: Record<string, unknown>[] = result;
      const texts = new Map(rows.map((row) => [row, Object.values(row).join('\n').toLowerCase()]));
      const cells = (row: Record<string, unknown>) =>
        [row[field], ...Object.values(row).slice(0, 9)].map((value) => `<td>${value}</td>`);
      document.body.innerHTML = '<input><button>Sort</button><input type="checkbox"><table></table>';
      const [text, all] = document.querySelectorAll('input');
      const [table, button] = [document.querySelector('table'), document.querySelector('button')];
      const collator = new Intl.Collator('en', { sensitivity: 'accent' });
      let sign = 1;
      const write = (found: typeof rows) => {
        if (table)
          table.innerHTML = found
            .slice(0, shown)
            .map((row) => `<tr><td><input type="checkbox"></td>${cells(row).join('')}</tr>`)
            .join('');
      };
      text?.addEventListener('input', () =>
        write(rows.filter((row) => texts.get(row)?.includes(text.value.toLowerCase()))),
      );
      button?.addEventListener('click', () => {
        sign = -sign;
        write(rows.toSorted((one, other) => sign * collator.compare(String(one[field]), String(other[field]))));
      });
      all?.addEventListener('click', () => {
        for (const box of table?.querySelectorAll('input') ?? []) box.checked = all.checked;
      });
      write(rows);
    },
    { ...source, shown: SHOWN },
  );
}
