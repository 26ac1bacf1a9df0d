import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { curveOf, type DayValue, HEIGHT, WIDTH } from './curve-points.ts';

interface CurveProps {
  /** One at least, oldest first. */
  values: readonly DayValue[];
  /** A value in words. */
  format: (value: number) => string;
  /** What the values are. */
  label: string;
  /** Under the picture; absent: the first and the last value. */
  caption?: ReactNode;
}

/** A figure over time: a picture in one sentence, and a table of what it was drawn from. */
export function Curve({ values, format, label, caption }: CurveProps) {
  const { t } = useTranslation();
  const { line, area, top, first, last } = curveOf(values);
  const words = t('components.curve.ends', {
    from: first.day,
    to: last.day,
    before: format(first.value),
    after: format(last.value),
  });
  return (
    <figure className="curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${label}: ${words}`}>
        <polygon points={area} />
        <polyline points={line} />
      </svg>
      <span className="curve-top num" aria-hidden="true">
        {format(top)}
      </span>
      <div className="curve-ends num" aria-hidden="true">
        <span>{first.day}</span>
        <span>{last.day}</span>
      </div>
      <figcaption>{caption ?? words}</figcaption>
      <details>
        <summary>{t('components.curve.asTable')}</summary>
        <CurveTable values={values} format={format} label={label} />
      </details>
    </figure>
  );
}

/** The figures of a curve, the newest first. */
function CurveTable({ values, format, label }: Pick<CurveProps, 'values' | 'format' | 'label'>) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
    <section className="curve-table" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('components.curve.day')}</th>
            <th scope="col">{label}</th>
          </tr>
        </thead>
        <tbody>
          {values.toReversed().map(({ day, value }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
