import { ArrowDown, ArrowUp, Columns3, GripVertical } from 'lucide-react';
import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button/button.tsx';
import { Checkbox } from '../field/checkbox.tsx';
import { Dropdown } from '../popup/dropdown.tsx';
import type { Column } from './data-table-types.ts';
import { inOrder, type Layout, PLAIN_LAYOUT } from './list-layout.ts';

/** Widths in px that a column can be given. */
export const WIDTH_MIN = 48;
export const WIDTH_MAX = 1200;

interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[];
  layout: Layout;
  onChange: (layout: Layout) => void;
}

/** Hides, orders and widens the columns of a list, and chooses how dense its rows are. */
export function ColumnChooser<Row>({ columns, layout, onChange }: ColumnChooserProps<Row>) {
  const { t } = useTranslation();
  const label = t('components.columns.choose');
  const icon = (
    <span className="icon-button" title={label}>
      <Columns3 className="icon" aria-hidden="true" />
    </span>
  );
  return (
    <Dropdown head={icon} headLabel={label} hideArrow align="end" className="column-chooser">
      {() => (
        <>
          <ColumnList columns={inOrder(columns, layout.order)} layout={layout} onChange={onChange} />
          <fieldset className="column-density">
            <legend>{t('components.columns.density')}</legend>
            {(['comfortable', 'compact'] as const).map((density) => (
              <label key={density}>
                <input
                  type="radio"
                  name="density"
                  className="form-check-input"
                  checked={layout.density === density}
                  onChange={() => onChange({ ...layout, density })}
                />{' '}
                {t(`components.columns.${density}`)}
              </label>
            ))}
            <Button variant="secondary" size="small" onClick={() => onChange(PLAIN_LAYOUT)}>
              {t('components.columns.reset')}
            </Button>
          </fieldset>
        </>
      )}
    </Dropdown>
  );
}

/** The columns in their order. They are dragged, or moved by the buttons. */
function ColumnList<Row>({ columns, layout, onChange }: ColumnChooserProps<Row>) {
  const { t } = useTranslation();
  const dragged = useRef<number | null>(null);
  const moved = useRef<HTMLElement | null>(null);
  // A button that moves in the document loses the focus.
  useLayoutEffect(() => {
    moved.current?.focus();
    moved.current = null;
  });
  function move(from: number, to: number) {
    const order = columns.map(({ id }) => id);
    const [id] = order.splice(from, 1);
    if (id === undefined || to < 0 || to > order.length) return;
    order.splice(to, 0, id);
    onChange({ ...layout, order });
  }
  return (
    <fieldset>
      <legend>{t('components.columns.choose')}</legend>
      <ol>
        {columns.map((column, index) => (
          <li
            key={column.id}
            draggable
            onDragStart={() => {
              dragged.current = index;
            }}
            onDragOver={(event) => event.preventDefault()}
            onDragEnter={() => {
              if (dragged.current === null || dragged.current === index) return;
              move(dragged.current, index);
              dragged.current = index;
            }}
            onDragEnd={() => {
              dragged.current = null;
            }}
          >
            <GripVertical className="icon" aria-hidden="true" />
            <ColumnChoice column={column} layout={layout} onChange={onChange} />
            <MoveButtons
              name={column.header}
              isFirst={index === 0}
              isLast={index === columns.length - 1}
              onMove={(step, { currentTarget }) => {
                moved.current = currentTarget;
                move(index, index + step);
              }}
            />
          </li>
        ))}
      </ol>
    </fieldset>
  );
}

interface ColumnChoiceProps<Row> extends Omit<ColumnChooserProps<Row>, 'columns'> {
  column: Column<Row>;
}

/** Whether a column is shown, and how wide. The column that names its row is not hidden. */
function ColumnChoice<Row>({ column: { id, header, width, pinned }, layout, onChange }: ColumnChoiceProps<Row>) {
  const { t } = useTranslation();
  const { hidden, widths } = layout;
  const isHidden = hidden.includes(id);
  const shown = widths[id] ?? width;
  const [typed, setTyped] = useState<string>();
  function changeWidth(value: number) {
    if (value >= WIDTH_MIN && value <= WIDTH_MAX)
      onChange({ ...layout, widths: { ...widths, [id]: Math.round(value) } });
  }
  return (
    <>
      {pinned ? (
        <span className="form-check">{header}</span>
      ) : (
        <Checkbox
          label={header}
          checked={!isHidden}
          onChange={() =>
            onChange({ ...layout, hidden: isHidden ? hidden.filter((one) => one !== id) : [...hidden, id] })
          }
        />
      )}
      <input
        type="number"
        className="form-control"
        aria-label={t('components.columns.width', { name: header })}
        min={WIDTH_MIN}
        max={WIDTH_MAX}
        step={8}
        // A width that is typed counts once it is one; the field itself keeps what is being typed.
        value={typed ?? shown}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={({ target }) => {
          if (target.valueAsNumber !== shown) changeWidth(target.valueAsNumber);
          setTyped(undefined);
        }}
        onKeyDown={(event) => event.key === 'Enter' && changeWidth(event.currentTarget.valueAsNumber)}
      />
    </>
  );
}

interface MoveButtonsProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: 1 | -1, event: MouseEvent<HTMLElement>) => void;
}

function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps) {
  const { t } = useTranslation();
  // Not `disabled`: the button of a column that arrives at the edge would lose the focus.
  return (
    <>
      <IconButton
        icon={ArrowUp}
        label={t('components.columns.up', { name })}
        aria-disabled={isFirst || undefined}
        onClick={(event) => !isFirst && onMove(-1, event)}
      />
      <IconButton
        icon={ArrowDown}
        label={t('components.columns.down', { name })}
        aria-disabled={isLast || undefined}
        onClick={(event) => !isLast && onMove(1, event)}
      />
    </>
  );
}
