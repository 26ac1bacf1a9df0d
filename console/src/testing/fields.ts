import { fireEvent, screen } from '@testing-library/react';

type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

const selector = 'input,select,textarea';

/** The form control with that label. */
export const field = (label: string): Control => screen.getByLabelText<Control>(label, { selector });

/** Waits for the form control with that label. */
export const findField = (label: string): Promise<Control> => screen.findByLabelText<Control>(label, { selector });

/** The value under a label that is shown as text. */
export const factOf = (label: string): string =>
  screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent ?? '';

/** The texts of a select's options. */
export const optionsOf = (label: string) => [...field(label).options].map(({ textContent }) => textContent);

/** Sets a field's value at once, like pasting; much faster than typing 256 characters. */
export const fill = (label: string, value: string): void => {
  fireEvent.change(field(label), { target: { value } });
};

/** Sets a field's value and leaves the field. */
export const fillAndLeave = (label: string, value: string): void => {
  fill(label, value);
  fireEvent.blur(field(label));
};
