import type { MouseEvent } from 'react';

/**
 * Attributes of a check box or switch that the user may not change: it looks disabled, and a click tells the reason. They stand apart
 * from the check box, which the sign-in page loads too.
 * @param refusal why; undefined: it may be changed
 */
export const refusedInput = (refusal: string | undefined) =>
  refusal === undefined
    ? undefined
    : {
        'aria-disabled': true,
        'data-refusal': refusal,
        title: refusal,
        onClick: (event: MouseEvent) => event.preventDefault(),
      };
