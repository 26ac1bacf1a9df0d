/** Adds or removes a class of the page's body, by default the one for an open modal (SPEC §4, §9). */
export const toggleBodyClass = (on: boolean, name = 'modal-open'): void => {
  document.body.classList.toggle(name, on);
};
