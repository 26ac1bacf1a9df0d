import { expect, test } from 'vitest';
import { slowly } from './quick-jsdom.ts';

const PAGE = `
  <main style="overflow: hidden">
    <h1>A <em>heading</em></h1>
    <section hidden><p>Hidden <b>text</b></p></section>
    <div style="display: none"><i>gone</i></div>
    <div style="visibility: hidden"><i>unseen <u style="visibility: visible">seen</u></i></div>
    <div style="pointer-events: none"><button type="button">Untouchable</button></div>
    <dialog><p>closed</p></dialog><dialog open><p>open</p></dialog>
    <div popover="auto">away</div>
    <details><summary>More</summary><p>details</p></details>
    <table><thead><tr><th>Name</th></tr></thead><tbody><tr hidden><td>1</td></tr></tbody></table>
    <ul><li>one</li></ul>
    <template></template><datalist></datalist><noscript></noscript>
    <form>
      <label for="named">By its name</label><label for="named">twice</label><input id="named" />
      <label>Around <input id="inside" /><input /></label>
      <label for="inside">both</label>
      <label for="other">Of another <input /></label>
      <label>a choice <select id="other"></select></label>
      <label for="">of nothing</label><label for="nowhere">of nobody</label>
      <input type="hidden" id="secret" /><label for="secret">secret</label><textarea></textarea>
      <input id="named" />
    </form>
  </main>`;

test('an element has the style that jsdom gives it [§1]', () => {
  document.body.innerHTML = PAGE;
  // In two rounds: the second is answered from memory.
  for (const element of [...document.querySelectorAll('*'), ...document.querySelectorAll('*')]) {
    const { display, visibility, pointerEvents } = slowly.styleOf(element);
    const quick = getComputedStyle(element);
    expect([quick.display, quick.visibility, quick.pointerEvents], element.outerHTML).toEqual([
      display,
      visibility,
      pointerEvents,
    ]);
    expect(quick.getPropertyValue('display'), element.outerHTML).toBe(display);
    expect(quick.overflowY).toBe(slowly.styleOf(element).overflowY);
  }
});

test('a style sheet counts [§1]', () => {
  document.body.innerHTML = '<style>p { display: none }</style><p>hidden</p>';
  const [hidden] = document.querySelectorAll('p');
  expect(hidden && getComputedStyle(hidden).display).toBe('none');
});

test('a field has the labels that jsdom gives it [§1]', () => {
  document.body.innerHTML = PAGE;
  for (const field of document.querySelectorAll('input'))
    expect([...(field.labels ?? ['none'])], field.outerHTML).toEqual([...(slowly.labelsOf(field) ?? ['none'])]);
});
