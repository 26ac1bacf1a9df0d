import { fireEvent, screen } from '@testing-library/react';

type Control = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement;

const selector = 'input,select,textarea';

/** The form control with that label. */
export const field = (label: string): Control => screen.getByLabelText<Control>(label, { selector });

/** Waits for the form control with that label. */
export const findField = (label: string): Promise<Control> => screen.findByLabelText<Control>(label, { selector });

/** The texts of what a select offers. */
export const optionsOf = (label: string) => [...field(label).options].map(({ textContent }) => textContent);

/** Puts a value into a field at once, as pasting does; far quicker than typing 256 characters. */
export const fill = (label: string, value: string): void => {
  fireEvent.change(field(label), { target: { value } });
};

/** Puts a value into a field and goes on to the next. */
export const fillAndLeave = (label: string, value: string): void => {
  fill(label, value);
  fireEvent.blur(field(label));
};
