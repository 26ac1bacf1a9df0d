import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Editor } from '@tiptap/core';
import { type FormEvent, useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { findEditor, pasteHtml, stubLayout } from '../../testing/rich-text.ts';
import type { UploadPicture } from './rich-text-control.ts';
import { RichTextField } from './rich-text-field.tsx';

beforeAll(stubLayout);

interface FormProps {
  html: string;
  onChange: (html: string) => void;
  error?: string | undefined;
  uploadPicture?: UploadPicture;
}

function Form({ html, onChange, error, uploadPicture }: FormProps) {
  const [value, setValue] = useState(html);
  function handleChange(next: string) {
    onChange(next);
    setValue(next);
  }
  return (
    <>
      <RichTextField
        label="Answer"
        required
        {...{ error, value, uploadPicture }}
        onChange={handleChange}
        onBlur={() => {}}
      />
      <button type="button" onClick={() => setValue('<p><strong>set</strong>\n<em>back</em></p>')}>
        Reset
      </button>
    </>
  );
}

async function renderField(html = '', error?: string) {
  const onChange = vi.fn();
  render(<Form html={html} error={error} onChange={onChange} />);
  const editor = await findEditor('Answer');
  return { editor, onChange, user: userEvent.setup() };
}
const last = (onChange: ReturnType<typeof vi.fn>) => onChange.mock.lastCall?.[0];

test('is labelled, required, and described by its error [§2.19]', async () => {
  const { editor } = await renderField('', 'Answer is required');
  expect(editor.getAttribute('aria-required')).toBe('true');
  expect(editor.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(editor.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Answer is required',
  );
});

test('opening content changes nothing, whatever its source [§4]', async () => {
  const { editor, onChange } = await renderField('<ul><li>one</li></ul><p><em><strong>two</strong></em></p>');
  expect(editor.textContent).toBe('onetwo');
  expect(onChange).not.toHaveBeenCalled();
});

test.each([
  '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>',
  '<p><strong>a</strong><em>b</em><u>c</u><s>d</s><sub>e</sub><sup>f</sup><code>g</code></p>',
  '<ul><li><p>a</p><ol><li><p>b</p></li></ol></li></ul>',
  '<blockquote><p>a</p></blockquote><pre><code>b\n  c</code></pre><hr><p>d<br>e</p>',
  `<p>a<img src="/faqs/images/${'0f'.repeat(32)}" alt="b" width="6" height="4"></p>`,
  '<table><tbody><tr><th colspan="2"><p>a</p></th></tr><tr><td><p>b</p></td><td><p>c</p></td></tr></tbody></table>',
  '<pre><code>a <strong>b</strong><a href="https://a.test/" target="_blank" rel="noopener noreferrer">c</a></code></pre>',
  '<p>a</p><p><br></p><p>b</p>',
  '<p dir="rtl">a</p><h2 dir="rtl">b</h2><ul dir="rtl"><li dir="rtl"><p dir="rtl">c</p></li></ul>',
  '<ol dir="rtl"><li><p>a</p></li></ol><blockquote dir="rtl"><p>b</p></blockquote><pre dir="rtl"><code>c</code></pre>',
  '<p><a href="https://a.test/x?y=1&amp;z=2" target="_blank" rel="noopener noreferrer"><code>a</code></a></p>',
])('%s comes back equal from the editor [§5]', async (html) => {
  const { onChange } = await renderField('');
  await pasteHtml('Answer', html);
  expect(last(onChange)).toBe(html);
});

test.each([
  ['words', '<p>Keep <strong>cold</strong>\n<em>always</em></p>', '<p>xKeep <strong>cold</strong> <em>always</em></p>'],
  [
    'lines of code',
    '<pre><code>a <strong>b</strong>\n<em>c</em></code></pre>',
    '<pre><code>xa <strong>b</strong>\n<em>c</em></code></pre>',
  ],
])('a line break between %s is kept after an edit [§2.19]', async (_what, html, edited) => {
  const { onChange } = await renderField(html);
  await pasteHtml('Answer', 'x');
  expect(last(onChange)).toBe(edited);
});

test('typing parses no HTML: the text is sanitized once, when it is opened [§2.19]', async () => {
  const { onChange, user } = await renderField('<p>text</p>');
  const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
  await user.click(screen.getByRole('button', { name: 'Heading 1' }));
  expect(last(onChange)).toBe('<h1>text</h1>');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('undoing all changes gives the form its initial value, to the letter [§4]', async () => {
  const html = '<ul><li>one</li></ul>';
  const { onChange, user } = await renderField(html);
  await pasteHtml('Answer', '<p>more</p>');
  expect(last(onChange)).toContain('more');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(last(onChange)).toBe(html);
});

test.each([
  ['javascript:alert(1)', 'about:blank'],
  [' JaVa\tScript:alert(1)', 'about:blank'],
  ['data:text/html,x', 'about:blank'],
  ['ftp://a.test', 'about:blank'],
  ['/relative', '/relative'],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['tel:123', 'tel:123'],
])('a pasted link to %s becomes one to %s [§5]', async (href, expected) => {
  const { onChange } = await renderField();
  await pasteHtml('Answer', `<p><a href="${href}">x</a></p>`);
  expect(last(onChange)).toBe(`<p><a href="${expected}" target="_blank" rel="noopener noreferrer">x</a></p>`);
});

test('Escape is left to the dialog around it [§2.19]', async () => {
  const { editor } = await renderField('<p>x</p>');
  const onKeyDown = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  document.addEventListener('keydown', onKeyDown, { once: true });
  fireEvent.keyDown(editor, { key: 'Escape', code: 'Escape', keyCode: 27 });
  expect(onKeyDown).toHaveReturnedWith(false);
});

test('content pasted from Word and the web becomes clean HTML [§5]', async () => {
  const { onChange } = await renderField();
  await pasteHtml(
    'Answer',
    `<html><head><style>p.MsoNormal{color:red}</style></head><body><!--StartFragment-->
<p class="MsoNormal" style="margin:0cm"><b style="mso-bidi-font-weight:normal"><span lang="EN-GB">Weekly<o:p></o:p></span></b></p>
<p class="MsoListParagraphCxSpFirst" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><![if !supportLists]><span style="mso-list:Ignore">·<span>&nbsp;&nbsp;</span></span><![endif]><span>one</span></p>
<p class="MsoListParagraphCxSpLast" style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o<span>&nbsp;</span></span>two</p>
<p class="x" onclick="alert(1)" style="color:red"><font color="red">end</font><img src="x" onerror="alert(1)"><script>alert(1)</script></p>
<!--EndFragment--></body></html>`,
  );
  expect(last(onChange)).toBe(
    '<p><strong>Weekly</strong></p><ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><p>end</p>',
  );
});

test('in Word, a list that follows one of another kind stays a list of its own [§5]', async () => {
  const { onChange } = await renderField();
  const item = (level: number, mark: string, text: string) =>
    `<p style="mso-list:l0 level${level} lfo1"><span style="mso-list:Ignore">${mark}<span>&nbsp;</span></span>${text}</p>`;
  await pasteHtml(
    'Answer',
    [item(1, '·', 'a'), item(2, 'o', 'b'), item(2, '(i)', 'c'), item(1, '1.', 'd'), item(2, 'a)', 'e')].join('\n'),
  );
  expect(last(onChange)).toBe(
    '<ul><li><p>a</p><ul><li><p>b</p></li></ul><ol><li><p>c</p></li></ol></li></ul>' +
      '<ol><li><p>d</p><ol><li><p>e</p></li></ol></li></ol>',
  );
});

test.each([
  [
    'its lists, of all kinds and depths',
    '<ol><li data-list="bullet"><span class="ql-ui"></span>a</li><li data-list="bullet" class="ql-indent-1">b</li>' +
      '<li data-list="ordered" class="ql-indent-2">c</li><li data-list="ordered">d</li></ol>',
    '<ul><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li></ol></li></ul></li></ul><ol><li><p>d</p></li></ol>',
  ],
  [
    'depth in lists of its older version',
    '<ul><li>a</li><li class="ql-indent-1">b</li><li class="ql-indent-3">c</li><li class="ql-indent-1">d</li><li>e</li></ul>',
    '<ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul></li><li><p>e</p></li></ul>',
  ],
  [
    'the boxes of its checklists',
    '<ol><li data-list="checked">a</li><li data-list="unchecked" class="ql-indent-1">b</li></ol>' +
      '<ul data-checked="true"><li>c</li><li class="ql-indent-1">d</li></ul><ul data-checked="false"><li>e</li></ul>',
    '<ul><li><p>\u2611 a</p><ul><li><p>\u2610 b</p></li></ul></li></ul>' +
      '<ul><li><p>\u2611 c</p><ul><li><p>\u2611 d</p></li></ul></li></ul><ul><li><p>\u2610 e</p></li></ul>',
  ],
  [
    'images and videos of the web, as links',
    '<p><img src="https://a.test/x.png" alt="Fridge"></p><iframe class="ql-video" src="https://a.test/v"></iframe>',
    '<p><a href="https://a.test/x.png" target="_blank" rel="noopener noreferrer">Fridge</a></p>' +
      '<p><a href="https://a.test/v" target="_blank" rel="noopener noreferrer">https://a.test/v</a></p>',
  ],
  [
    'code blocks',
    '<div class="ql-code-block-container"><select class="ql-ui"><option>Plain</option></select>' +
      '<div class="ql-code-block">a &lt; b</div><div class="ql-code-block">  c</div></div>',
    '<pre><code>a &lt; b\n  c</code></pre>',
  ],
])("converts Quill's HTML: %s [§2.19]", async (_what, html, expected) => {
  const { onChange } = await renderField();
  await pasteHtml('Answer', html);
  expect(last(onChange)).toBe(expected);
});

test.each([
  [
    '<table><caption>Cold</caption><tr><th>Drug</th><th>Range</th></tr><tr><td>MMR</td><td>2-8 C<br>dark</td></tr></table>',
    '<p>Cold</p><table><tbody><tr><th><p>Drug</p></th><th><p>Range</p></th></tr><tr><td><p>MMR</p></td><td><p>2-8 C<br>dark</p></td></tr></tbody></table>',
  ],
  ['<dl><dt>MMR</dt><dt>Mumps</dt><dd>2-8 C</dd></dl>', '<p>MMR</p><p>Mumps</p><p>2-8 C</p>'],
  [
    '<table><!--StartFragment--><tr><td>a</td><!--EndFragment--></tr></table><div><script>x</script>b</div>',
    '<table><tbody><tr><td><p>a</p></td></tr></tbody></table><p>b</p>',
  ],
  ['<table><tr></tr></table>a', '<p>a</p>'],
  ['<table><tr><td colspan="x">a</td></tr></table>', '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>'],
  ['<main>a<details><summary>b</summary>c</details></main><nav>d</nav>', '<p>a</p><p>b</p><p>c</p><p>d</p>'],
])('words of two blocks of a web page stay apart: %s [§2.19]', async (html, expected) => {
  const { onChange } = await renderField();
  await pasteHtml('Answer', html);
  expect(last(onChange)).toBe(expected);
});

test('styles of Google Docs become tags [§5]', async () => {
  const { onChange } = await renderField();
  await pasteHtml(
    'Answer',
    `<b style="font-weight:normal" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">plain </span><span style="font-size:11pt;font-weight:700">bold</span><span style="font-style:italic;text-decoration:underline">both</span><a href="https://a.test" style="text-decoration:none"><span style="text-decoration:underline">link</span></a><span style="vertical-align:super">2</span></p></b>`,
  );
  expect(last(onChange)).toBe(
    '<p>plain <strong>bold</strong><em><u>both</u></em><a href="https://a.test" target="_blank" rel="noopener noreferrer">link</a><sup>2</sup></p>',
  );
});

test('an element may be named like a property of every object [§5]', async () => {
  const { onChange } = await renderField();
  await pasteHtml('Answer', '<constructor>a <constructor>b</constructor></constructor>');
  expect(last(onChange)).toBe('<p>a b</p>');
});

test("a link's style, and a style that makes strong text plain, are respected [§5]", async () => {
  const { onChange } = await renderField();
  await pasteHtml(
    'Answer',
    '<p><a href="https://a.test" style="font-weight:bold">a</a><strong style="font-weight:400">b</strong></p>',
  );
  expect(last(onChange)).toBe(
    '<p><a href="https://a.test" target="_blank" rel="noopener noreferrer"><strong>a</strong></a>b</p>',
  );
});

test.each([
  ['nothing', ''],
  ['a blank', '<p>&nbsp;</p>'],
  ['empty lines', '<p></p><p><br></p>'],
])('%s counts as the empty text [§5]', async (_what, html) => {
  const { onChange, editor } = await renderField('<p>x</p>');
  editor.focus();
  fireEvent.keyDown(editor, { key: 'a', code: 'KeyA', ctrlKey: true });
  fireEvent.keyDown(editor, { key: 'Backspace', code: 'Backspace' });
  if (html !== '') await pasteHtml('Answer', html);
  expect(last(onChange)).toBe('');
});

test('a value set from outside is shown, and does not count as a change [§4]', async () => {
  const { editor, onChange, user } = await renderField('<p>old</p>');
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(editor.textContent).toBe('set back'));
  expect(onChange).not.toHaveBeenCalled();
});

test('the toolbar is one tab stop, the arrow keys move inside it, and buttons expose whether they are on [§2.20]', async () => {
  const { editor, onChange, user } = await renderField('<p>text</p>');
  const toolbar = screen.getByRole('toolbar', { name: 'Formatting' });
  expect(toolbar.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  const heading = screen.getByRole('button', { name: 'Heading 1' });
  heading.focus();
  await user.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Redo' }));
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Heading 2' }));
  await user.keyboard('{Enter}');
  expect(last(onChange)).toBe('<h2>text</h2>');
  expect(screen.getByRole('button', { name: 'Heading 2' }).ariaPressed).toBe('true');
  expect(editor.querySelector('h2')).not.toBeNull();
});

test.each([
  ['www.cdc.gov', 'https://www.cdc.gov'],
  ['example.com/a?b=c', 'https://example.com/a?b=c'],
  ['user@example.com', 'mailto:user@example.com'],
])('the typed link %s leads to %s [§5]', async (typed, href) => {
  const { onChange, user } = await renderField('');
  await user.click(screen.getByRole('button', { name: 'Link' }));
  await user.type(screen.getByRole('textbox', { name: 'Address of the link' }), `${typed}{Enter}`);
  expect(last(onChange)).toBe(`<p><a href="${href}" target="_blank" rel="noopener noreferrer">${typed}</a></p>`);
});

test('pasting says how much was left out, until the next paste [§2.19]', async () => {
  await renderField('');
  const lost = '<video></video><svg><path d="M0 0"/></svg><img src="data:image/png;base64,AA==">';
  await pasteHtml('Answer', `<p>a</p>${lost}<p>b <img src="https://a.test/x.png" alt="kept as a link"></p>`);
  await screen.findByText(/^3 items could not be pasted/);
  await pasteHtml('Answer', '<p>c <img src="cid:1"></p>');
  await screen.findByText(/^1 item could not be pasted/);
  await pasteHtml('Answer', '<p>d</p>');
  await waitFor(() => expect(screen.queryByText(/could not be pasted/)).toBeNull());
});

test('the message of what was left out goes with the next thing that is pasted or chosen, whatever it is [§2.19]', async () => {
  const upload = async () => ({ src: LEFT ?? '', width: 6, height: 4 });
  render(<Form html="" onChange={vi.fn()} uploadPicture={upload} />);
  const editor = await findEditor('Answer');
  const leaveOut = async () => {
    const files = [new File(['x'], 'leaflet.pdf', { type: 'application/pdf' })];
    fireEvent.paste(editor, { clipboardData: { getData: () => '', files, items: [], types: ['Files'] } });
    await screen.findByText(/^1 file was left out/);
  };
  await leaveOut();
  const getData = (type: string) => (type === 'text/plain' ? 'plain' : '');
  fireEvent.paste(editor, { clipboardData: { getData, files: [], items: [], types: ['text/plain'] } });
  await waitFor(() => expect(screen.queryByText(/left out/)).toBeNull());
  await leaveOut();
  const file = new File(['x'], 'screenshot.png', { type: 'image/png' });
  await userEvent.setup().upload(screen.getByLabelText('Picture file'), file);
  await waitFor(() => expect(screen.queryByText(/left out/)).toBeNull());
});

test('a pasted file is left out, and a message says so [§2.19]', async () => {
  const { editor } = await renderField('');
  const files = [new File(['x'], 'screenshot.png', { type: 'image/png' })];
  const clipboardData = { getData: () => '', files, items: [], types: ['Files'] };
  // Else it is looked at once more a moment later, and the message comes back where another paste had ended it.
  expect(fireEvent.paste(editor, { clipboardData })).toBe(false);
  await screen.findByText(/^1 file was left out/);
});

test('a link is made with the link bar and removed again; a refused address is reported [§5]', async () => {
  const { onChange, user } = await renderField('');
  await user.click(screen.getByRole('button', { name: 'Link' }));
  const address = screen.getByRole('textbox', { name: 'Address of the link' });
  expect(document.activeElement).toBe(address);
  await user.type(address, 'javascript:alert(1)');
  screen.getByText('Only http, https, mailto and tel links are kept: this one becomes about:blank.');
  await user.clear(address);
  await user.type(address, 'https://a.test{Enter}');
  expect(last(onChange)).toBe(
    '<p><a href="https://a.test" target="_blank" rel="noopener noreferrer">https://a.test</a></p>',
  );
  expect(screen.queryByRole('textbox', { name: 'Address of the link' })).toBeNull();
});

test('a table is made and changed with the toolbar [DECISIONS §13]', async () => {
  const { onChange, user } = await renderField('');
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  expect(screen.getByRole('button', { name: 'Remove the row' }).getAttribute('aria-disabled')).toBe('true');
  await press('Table');
  await pasteHtml('Answer', 'Shelf');
  const sizes = () => {
    const { body } = new DOMParser().parseFromString(last(onChange), 'text/html');
    return [body.querySelectorAll('tr').length, body.querySelectorAll('th').length, body.querySelectorAll('td').length];
  };
  expect(sizes()).toEqual([3, 3, 6]);
  await press('Add a row below');
  await press('Add a column after');
  expect(sizes()).toEqual([4, 4, 12]);
  await press('Remove the row');
  await press('Remove the column');
  await press('Remove the table');
  expect(last(onChange)).toBe('');
});

test('an item of a list is indented and outdented with the toolbar, where it can be [§2.19]', async () => {
  const { editor, onChange, user } = await renderField('<ul><li><p>one</p></li><li><p>two</p></li></ul><p>end</p>');
  const { editor: own } = editor as HTMLElement & { editor: Editor };
  const tool = (name: string) => screen.getByRole('button', { name });
  const possible = () => ['Indent', 'Outdent'].map((name) => tool(name).getAttribute('aria-disabled') === null);
  const goTo = (text: string) =>
    act(() => {
      own.state.doc.descendants((node, at) => void (node.text === text && own.commands.setTextSelection(at)));
    });
  goTo('end');
  await waitFor(() => expect(possible()).toEqual([false, false]));
  goTo('one');
  await waitFor(() => expect(possible()).toEqual([false, true]));
  goTo('two');
  await waitFor(() => expect(possible()).toEqual([true, true]));
  await user.click(tool('Indent'));
  expect(last(onChange)).toBe('<ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><p>end</p>');
  await user.click(tool('Outdent'));
  expect(last(onChange)).toBe('<ul><li><p>one</p></li><li><p>two</p></li></ul><p>end</p>');
});

test.each(['pasted', 'chosen'])(
  'a picture that is %s is uploaded, and described before it is in the text [DECISIONS §13]',
  async (way) => {
    const src = `/faqs/images/${'0f'.repeat(32)}`;
    const upload = vi.fn(async (_file: File) => ({ src, width: 6, height: 4 }));
    const onChange = vi.fn();
    render(<Form html="" error={undefined} onChange={onChange} uploadPicture={upload} />);
    const editor = await findEditor('Answer');
    const user = userEvent.setup();
    const file = new File(['x'], 'screenshot.png', { type: 'image/png' });
    if (way === 'pasted') {
      fireEvent.paste(editor, { clipboardData: { getData: () => '', files: [file], items: [], types: ['Files'] } });
    } else await user.upload(screen.getByLabelText('Picture file'), file);
    const field = await screen.findByRole('textbox', { name: 'Describe it for those who cannot see it' });
    if (way === 'pasted') expect(document.activeElement).toBe(field);
    expect(screen.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', true);
    await user.type(field, 'A fridge{Enter}');
    await waitFor(() => expect(last(onChange)).toBe(`<p><img src="${src}" alt="A fridge" width="6" height="4"></p>`));
    expect(upload.mock.calls).toEqual([[file]]);
  },
);

test('a picture that is pasted after another one takes its place, also while it is uploaded [DECISIONS §13]', async () => {
  const uploads: Parameters<UploadPicture>[0][] = [];
  const second = Promise.withResolvers<Awaited<ReturnType<UploadPicture>>>();
  const stored = (digits: string) => ({ src: `/faqs/images/${digits.repeat(32)}`, width: 6, height: 4 });
  const upload: UploadPicture = async (file) => {
    uploads.push(file);
    return uploads.length === 1 ? stored('0a') : second.promise;
  };
  const onChange = vi.fn();
  render(<Form html="" error={undefined} onChange={onChange} uploadPicture={upload} />);
  const editor = await findEditor('Answer');
  const user = userEvent.setup();
  const paste = () => {
    const files = [new File([String(uploads.length)], 'image.png', { type: 'image/png' })];
    fireEvent.paste(editor, { clipboardData: { getData: () => '', files, items: [], types: ['Files'] } });
  };
  const describe = () => screen.findByRole('textbox', { name: 'Describe it for those who cannot see it' });
  const apply = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' });
  paste();
  await user.type(await describe(), 'The wrong one');
  await waitFor(() => expect(apply().disabled).toBe(false));
  paste();
  await waitFor(() => expect(uploads).toHaveLength(2));
  await user.type(await describe(), 'The right one');
  expect(apply().disabled).toBe(true);
  second.resolve(stored('0b'));
  await waitFor(() => expect(apply().disabled).toBe(false));
  await user.click(apply());
  await waitFor(() =>
    expect(last(onChange)).toBe(`<p><img src="${stored('0b').src}" alt="The right one" width="6" height="4"></p>`),
  );
});

const [LEFT, RIGHT] = ['0a', '0b'].map((digits) => `/faqs/images/${digits.repeat(32)}`);
const twoPictures = (left: string, right: string, before = '') =>
  `<p>${before}See <img src="${LEFT}" alt="${left}"> and <img src="${RIGHT}" alt="${right}"></p>`;
/** Where the two are in the text. */
const [AT_LEFT, AT_RIGHT] = [5, 11];

/** The editor of a text with two pictures, and what is done with it. */
async function renderTwoPictures() {
  const onChange = vi.fn();
  const upload = vi.fn();
  render(<Form html={twoPictures('left', 'right')} onChange={onChange} uploadPicture={upload} />);
  const element = await findEditor('Answer');
  const { editor } = element as HTMLElement & { editor: Editor };
  const user = userEvent.setup();
  const description = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Describe it for those/ });
  return {
    ...{ editor, onChange, upload, user, description },
    press: (name: string) => user.click(screen.getByRole('button', { name })),
    async describe(at: number, more: string) {
      act(() => void editor.commands.setNodeSelection(at));
      await user.click(screen.getByRole('button', { name: 'Picture' }));
      await user.type(description(), more);
    },
  };
}

/** What a browser hands over as things are dragged; what it drags can be among the files. */
const dragged = (files: File[], types: string[] = ['Files']) => {
  const texts = new Map<string, string>();
  return {
    files,
    types,
    getData: (type: string) => texts.get(type) ?? '',
    setData: (type: string, text: string) => void texts.set(type, text),
    clearData: () => texts.clear(),
  };
};

test('a picture of the text is moved by dragging it, and not uploaded once more [DECISIONS §13]', async () => {
  const { editor, onChange, upload } = await renderTwoPictures();
  const [left] = editor.view.dom.querySelectorAll('img');
  if (!left) throw new Error('There is no picture');
  const dataTransfer = dragged([new File(['x'], 'image.webp', { type: 'image/webp' })], ['Files', 'text/html']);
  vi.spyOn(editor.view, 'posAtCoords').mockReturnValue({ pos: AT_RIGHT + 1, inside: -1 });
  fireEvent.dragStart(left, { dataTransfer });
  fireEvent.drop(editor.view.dom, { dataTransfer });
  expect(last(onChange)).toBe(`<p>See  and <img src="${RIGHT}" alt="right"><img src="${LEFT}" alt="left"></p>`);
  expect(screen.queryByRole('textbox', { name: /^Describe it for those/ })).toBeNull();
  expect(upload).not.toHaveBeenCalled();
});

test.each([
  [true, 'text/plain'],
  [false, 'application/pdf'],
])(
  'a dropped file is not opened by the browser; a message says that it is left out (pictures %s, %s) [§2.19]',
  async (has, type) => {
    const onChange = vi.fn();
    render(<Form html="<p>a</p>" onChange={onChange} {...(has && { uploadPicture: vi.fn() })} />);
    const { editor } = (await findEditor('Answer')) as HTMLElement & { editor: Editor };
    vi.spyOn(editor.view, 'posAtCoords').mockReturnValue({ pos: 1, inside: -1 });
    const isOpened = fireEvent.drop(editor.view.dom, { dataTransfer: dragged([new File(['x'], 'leaflet', { type })]) });
    expect(isOpened).toBe(false);
    await screen.findByText(/^1 file was left out/);
    expect(onChange).not.toHaveBeenCalled();
  },
);

test.each(['pasted', 'dropped'])(
  'of several %s files one picture is taken, and a message says each time how many are left out [§2.19]',
  async (way) => {
    const upload = vi.fn(async (_file: File) => ({ src: LEFT ?? '', width: 6, height: 4 }));
    render(<Form html="" onChange={vi.fn()} uploadPicture={upload} />);
    const { editor } = (await findEditor('Answer')) as HTMLElement & { editor: Editor };
    const { dom } = editor.view;
    vi.spyOn(editor.view, 'posAtCoords').mockReturnValue({ pos: 1, inside: -1 });
    const [leaflet, first, second] = [
      new File(['x'], 'leaflet.pdf', { type: 'application/pdf' }),
      new File(['1'], 'first.png', { type: 'image/png' }),
      new File(['2'], 'second.png', { type: 'image/png' }),
    ] as const;
    const bring = (...files: File[]) =>
      way === 'pasted'
        ? fireEvent.paste(dom, { clipboardData: { getData: () => '', files, items: [], types: ['Files'] } })
        : fireEvent.drop(dom, { dataTransfer: dragged(files) });
    const told = () => screen.findByText(/^2 files were left out/);
    bring(leaflet, first, second);
    const before = await told();
    await screen.findByRole('textbox', { name: /^Describe it for those/ });
    bring(leaflet, first, second);
    // Words that stand as they are would not be read out.
    await waitFor(() => expect(before.isConnected).toBe(false));
    await told();
    bring(second);
    await waitFor(() => expect(screen.queryByText(/left out/)).toBeNull());
    expect(upload.mock.calls).toEqual([[first], [first], [second]]);
  },
);

test('a picture goes where it is dropped [DECISIONS §13]', async () => {
  const onChange = vi.fn();
  const upload = async () => ({ src: LEFT ?? '', width: 6, height: 4 });
  render(<Form html="<p>before after</p>" onChange={onChange} uploadPicture={upload} />);
  const { editor } = (await findEditor('Answer')) as HTMLElement & { editor: Editor };
  act(() => void editor.commands.setTextSelection({ from: 1, to: 4 }));
  vi.spyOn(editor.view, 'posAtCoords').mockReturnValue({ pos: 8, inside: 0 });
  const dataTransfer = dragged([new File(['x'], 'fridge.png', { type: 'image/png' })]);
  fireEvent.drop(editor.view.dom, { dataTransfer });
  const field = await screen.findByRole('textbox', { name: /^Describe it for those/ });
  await userEvent.setup().type(field, 'A fridge{Enter}');
  await waitFor(() =>
    expect(last(onChange)).toBe(`<p>before <img src="${LEFT}" alt="A fridge" width="6" height="4">after</p>`),
  );
});

test('what is typed for one picture is not taken for the next one [DECISIONS §13]', async () => {
  const { onChange, press, describe, description } = await renderTwoPictures();
  await describe(AT_LEFT, ' shelf');
  await describe(AT_RIGHT, ' door');
  expect(description().value).toBe('right door');
  await press('Apply');
  expect(last(onChange)).toBe(twoPictures('left', 'right door'));
});

test('a description goes to its picture, whatever is selected or typed meanwhile [DECISIONS §13]', async () => {
  const { editor, onChange, press, describe } = await renderTwoPictures();
  await describe(AT_LEFT, ' shelf');
  act(() => void editor.commands.insertContentAt(1, 'Please. '));
  act(() => void editor.commands.setTextSelection({ from: 1, to: 4 }));
  await press('Apply');
  expect(last(onChange)).toBe(twoPictures('left shelf', 'right', 'Please. '));
});

test('a picture that is deleted takes its bar along [DECISIONS §13]', async () => {
  const { editor, onChange, describe } = await renderTwoPictures();
  await describe(AT_LEFT, ' shelf');
  act(() => void editor.commands.deleteRange({ from: AT_LEFT, to: AT_LEFT + 1 }));
  expect(screen.queryByRole('textbox', { name: /^Describe it for those/ })).toBeNull();
  expect(last(onChange)).not.toContain(LEFT);
});

test('the bars of a link and of a picture are closed one by one [DECISIONS §13]', async () => {
  const { user, press, describe, description } = await renderTwoPictures();
  await describe(AT_LEFT, ' shelf');
  await press('Link');
  const address = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Address of the link' });
  await user.type(address(), '{Escape}');
  expect(description().value).toBe('left shelf');
  await press('Link');
  await user.type(address(), 'https://a.test');
  await user.type(description(), '{Escape}');
  expect(address().value).toBe('https://a.test');
});

test('a picture that is refused says why [DECISIONS §13]', async () => {
  const upload = async () => ({ failure: 'This is no picture.' });
  render(<Form html="" error={undefined} onChange={vi.fn()} uploadPicture={upload} />);
  await findEditor('Answer');
  await userEvent
    .setup()
    .upload(screen.getByLabelText('Picture file'), new File(['x'], 'a.png', { type: 'image/png' }));
  await screen.findByText('This is no picture.');
});

test('a form waits for a picture that is chosen, and for none that was refused [§4]', async () => {
  const outcome = Promise.withResolvers<{ failure: string }>();
  const submit = vi.fn((event: FormEvent) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Form html="" onChange={vi.fn()} uploadPicture={() => outcome.promise} />
      <button type="submit">Save</button>
    </form>,
  );
  await findEditor('Answer');
  const user = userEvent.setup();
  await user.upload(screen.getByLabelText('Picture file'), new File(['x'], 'a.png', { type: 'image/png' }));
  const save = screen.getByRole('button', { name: 'Save' });
  await user.click(save);
  expect(submit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Describe it for those/ }));
  screen.getByText(/This is not in the text yet/);
  outcome.resolve({ failure: 'This is no picture.' });
  await screen.findByText('This is no picture.');
  await user.click(save);
  expect(submit).toHaveBeenCalledOnce();
});
