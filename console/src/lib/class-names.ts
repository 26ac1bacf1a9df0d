/** Joins the class names that apply: `classNames('btn', block && 'btn-block')`. */
export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
