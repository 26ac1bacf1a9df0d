import { LINK_ATTRIBUTES, RICH_TEXT_TAGS, safeHref, typedHref } from '@apotheca/contract/rich-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INJECTIONS } from '../testing/injections.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { findFaults } from '../testing/rich-text-faults.ts';
import { sanitize } from './sanitize.ts';

const LINK = `target="${LINK_ATTRIBUTES.target}" rel="${LINK_ATTRIBUTES.rel}"`;

describe('known script injections', () => {
  it('are more than 200 attempts [§5]', () => {
    expect(INJECTIONS.length).toBeGreaterThanOrEqual(200);
  });

  it.each(INJECTIONS)('leave nothing active of %j, and are the same when sanitized twice [§5]', (html) => {
    const clean = sanitize(html);
    expect(clean).toBeTypeOf('string');
    expect(findFaults(clean ?? '')).toEqual([]);
    expect(sanitize(clean ?? '')).toBe(clean);
  });
});

describe('benign formatting', () => {
  it.each([
    'plain text',
    'A &amp; B &lt; C &gt; D &nbsp; "quoted" \u00e9\u{1f48a}',
    '<p>Hello <strong>bold</strong> <em>italic</em> <u>under</u> <s>gone</s> H<sub>2</sub>O x<sup>2</sup></p>',
    '<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><h5>Five</h5><h6>Six</h6>',
    '<p>a<br>b</p><p><br></p><p></p><hr><p>c</p>',
    '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul><ol><li>c<ol><li>d</li></ol></li></ol>',
    '<blockquote><p>quoted</p></blockquote>',
    '<pre><code>if (a &lt; b) {\n  return "&lt;script&gt;";\n}\n</code></pre><p><code>x</code></p>',
    '<pre>\n\n\n\nlines before</pre>',
    `<p><a href="https://a.test/?b=c&amp;d=%20#e" ${LINK}>link</a></p>`,
    `<p><a ${LINK} href="mailto:a@b.test">mail</a> <a href="tel:+15550134" ${LINK}>call</a></p>`,
    `<p><a href="/faqs" ${LINK}>here</a> <a href="//a.test" ${LINK}>there</a></p>`,
    '<p><strong><em><u>all</u></em></strong></p>',
    `<p>a <img src="/faqs/images/${'0f'.repeat(32)}" alt="A &quot;fridge&quot;" width="640" height="48"></p>`,
    '<table><tbody><tr><th colspan="2"><p>a</p></th></tr><tr><td rowspan="3">b</td><td>c</td></tr></tbody></table>',
    '<p dir="rtl">a</p><h2 dir="rtl">b</h2><ul dir="rtl"><li dir="rtl">c</li></ul><pre dir="rtl">d</pre>',
  ])('comes back unchanged: %s [§2.19]', (html) => {
    expect(sanitize(html)).toBe(html);
  });
});

describe('links', () => {
  it.each(['https://a.test', 'HTTP://A.test', 'mailto:a@b.test', 'tel:123', 'sub/page?x=y:z', '#top', '.a:b'])(
    '%s stays [§5]',
    (href) => {
      expect(safeHref(href)).toBe(href);
      expect(sanitize(`<a href="${href}">x</a>`)).toBe(`<a href="${href}" ${LINK}>x</a>`);
    },
  );

  it.each([
    'javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    '\ufeffjavascript:alert(1)',
    'java\tscript:alert(1)',
    'ftp://a.test',
    'x:y',
  ])('%j becomes about:blank [§5]', (href) => {
    expect(safeHref(href)).toBe('about:blank');
    expect(sanitize(`<a href="${href}">x</a>`)).toBe(`<a href="about:blank" ${LINK}>x</a>`);
  });

  it.each([
    ['www.cdc.gov', 'https://www.cdc.gov'],
    [' example.com ', 'https://example.com'],
    ['example.com:8080/a?b#c', 'https://example.com:8080/a?b#c'],
    ['bücher.example', 'https://bücher.example'],
    ['192.168.1.10:8080/help', 'https://192.168.1.10:8080/help'],
    ['10.0.0.1', 'https://10.0.0.1'],
    ['[2001:DB8::1]:8080/help', 'https://[2001:DB8::1]:8080/help'],
    ['300.1.1.1', 'about:blank'],
    ['1.2.3', '1.2.3'],
    ['user@example.com', 'mailto:user@example.com'],
    ['https://a.test', 'https://a.test'],
    ['tel:123', 'tel:123'],
    ['/faqs', '/faqs'],
    ['#top', '#top'],
    ['notes', 'notes'],
    ['javascript:alert(1)', 'about:blank'],
    ['javascript:a@b.test', 'about:blank'],
    ['ftp://example.com', 'about:blank'],
  ])('typed as %j become %s [§5]', (typed, href) => {
    expect(typedHref(typed)).toBe(href);
  });

  it('without an address become text [§5]', () => {
    expect(sanitize('<p><a name="top">a</a><a>b</a></p>')).toBe('<p>ab</p>');
  });
});

describe("Quill's markup", () => {
  it.each([
    [
      'its lists, of all kinds and depths',
      '<ol><li data-list="bullet"><span class="ql-ui" contenteditable="false"></span>a</li><li data-list="bullet" class="ql-indent-1">b</li>' +
        '<li data-list="ordered" class="ql-indent-2">c</li><li data-list="ordered">d</li></ol>',
      '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul><ol><li>d</li></ol>',
    ],
    [
      'the boxes of its checklist',
      '<ol><li data-list="checked">a</li><li data-list="unchecked">b</li></ol><ul data-checked="true"><li>c</li></ul>',
      '<ul><li>\u2611 a</li><li>\u2610 b</li></ul><ul><li>\u2611 c</li></ul>',
    ],
    [
      'the boxes of its older checklist, indented',
      '<ul data-checked="true"><li>a</li><li class="ql-indent-1">b</li></ul><ul data-checked="false"><li>c</li></ul>',
      '<ul><li>\u2611 a<ul><li>\u2611 b</li></ul></li></ul><ul><li>\u2610 c</li></ul>',
    ],
    [
      'lists of an unknown type, which are plain ones',
      '<ol><li data-list="constructor">a</li><li data-list="__proto__">b</li></ol>',
      '<ul><li>a</li><li>b</li></ul>',
    ],
    ['text among the items of its lists', '<ul data-checked="true">a<li>b</li>c</ul>', '<ul><li>\u2611 b</li></ul>ac'],
    [
      'depth in lists of its older version',
      '<ul><li>a</li><li class="ql-indent-1">b</li><li class="ql-indent-3">c</li><li class="ql-indent-1">d</li><li>e</li></ul>',
      '<ul><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ul>',
    ],
    [
      'code blocks',
      '<div class="ql-code-block-container" spellcheck="false"><div class="ql-code-block" data-language="plain">a &lt; b</div><div class="ql-code-block">  c</div></div>',
      '<pre><code>a &lt; b\n  c</code></pre>',
    ],
    [
      'code of its older version',
      '<pre class="ql-syntax" spellcheck="false">x = 1;\ny\n</pre>',
      '<pre><code>x = 1;\ny</code></pre>',
    ],
    [
      'alignment, which is dropped, and tags by other names',
      '<p class="ql-align-center ql-indent-1"><b>a</b> <i>b</i> <strike>c</strike> <del>d</del> <ins>e</ins> <span class="ql-size-large">f</span></p>',
      '<p><strong>a</strong> <em>b</em> <s>c</s> <s>d</s> <u>e</u> f</p>',
    ],
    [
      'videos, which become links to them',
      '<p>a</p><iframe class="ql-video" frameborder="0" allowfullscreen="true" src="https://v.test/embed/1?showinfo=0"></iframe><p>b</p>',
      `<p>a</p><p><a href="https://v.test/embed/1?showinfo=0" ${LINK}>https://v.test/embed/1?showinfo=0</a></p><p>b</p>`,
    ],
    [
      'images with an address, which become links to them',
      '<p><img src="https://a.test/a.png" alt="Fridge"> <img src="http://a.test/b.png"></p>',
      `<p><a href="https://a.test/a.png" ${LINK}>Fridge</a> <a href="http://a.test/b.png" ${LINK}>http://a.test/b.png</a></p>`,
    ],
    [
      'images that are links already, as their text',
      '<p><a href="https://a.test/"><img src="https://a.test/a.png" alt="Fridge"></a></p>',
      `<p><a href="https://a.test/" ${LINK}>Fridge</a></p>`,
    ],
    [
      'images and videos without an address of the web, which are dropped',
      '<p>a<img src="data:image/png;base64,AA==" alt="b"><img src="c.png"><img></p><iframe class="ql-video" src="about:blank">d</iframe>',
      '<p>a</p>',
    ],
  ])('is converted: %s [§2.19]', (_, html, clean) => {
    expect(sanitize(html)).toBe(clean);
  });
});

describe('pictures and cells', () => {
  const hash = '0f'.repeat(32);

  it.each([
    [`//evil.test/faqs/images/${hash}`, 'another server'],
    [`/faqs/images/${hash}?x`, 'more than the address'],
    [`/faqs/images/${hash.toUpperCase()}`, 'another form of it'],
    ['/api/auth/logout', 'another path'],
    ['javascript:alert(1)', 'a script'],
  ])('a picture at %s is dropped, as that is %s [DECISIONS §13]', (src) => {
    expect(sanitize(`<p>a<img src="${src}" alt="b"></p>`)).toBe('<p>a</p>');
  });

  it('keep sizes and spans that are sane only [DECISIONS §13]', () => {
    expect(sanitize(`<img src="/faqs/images/${hash}" width="99999" height="1em" style="x" srcset="y" id="z">`)).toBe(
      `<img src="/faqs/images/${hash}">`,
    );
    const cells = '<td colspan="51">a</td><td rowspan="1">b</td><td colspan="2" width="9" bgcolor="red">c</td>';
    expect(sanitize(`<table width="100%"><tbody><tr>${cells}</tr></tbody></table>`)).toBe(
      '<table><tbody><tr><td>a</td><td>b</td><td colspan="2">c</td></tr></tbody></table>',
    );
  });
});

describe('pasted text', () => {
  it('from Word becomes clean, with its lists [§2.19]', () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
      <!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
      <style><!-- p.MsoNormal {margin:0in; font-family:"Calibri"} --></style></head><body lang=EN-US><!--StartFragment-->
      <p class=MsoNormal style='margin-bottom:8pt'><b><span style='font-size:14.0pt;color:#1F4E79'>Recall</span></b><o:p></o:p></p>
      <p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>\u00b7<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Quarantine<o:p></o:p></p>
      <p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span></span><![endif]>Count<o:p></o:p></p>
      <p class=MsoNormal><a href="https://a.test/"><span style='color:blue;text-decoration:underline'>Notice</span></a></p><!--EndFragment--></body></html>`;
    expect(sanitize(word)?.replace(/\s*\n\s*/g, '')).toBe(
      '<p><strong>Recall</strong></p><ul><li>Quarantine<ol><li>Count</li></ol></li></ul>' +
        `<p><a href="https://a.test/" ${LINK}>Notice</a></p>`,
    );
  });

  it.each([
    ["<b style='mso-bidi-font-weight:normal'>Weekly</b>", '<strong>Weekly</strong>'],
    ["<b style='mso-bidi-font-weight:normal; font-weight: normal'>a</b>", 'a'],
    ["<span style='mso-bidi-font-weight:bold;mso-bidi-font-style:italic'>a</span>", 'a'],
    ["<span style='mso-bidi-font-weight:normal; font-weight:bold'>a</span>", '<strong>a</strong>'],
  ])('from Word is not bold because of a style for other scripts: %s [§2.19]', (html, clean) => {
    expect(sanitize(html)).toBe(clean);
  });

  it('from Google Docs keeps bold text, and only that [§2.19]', () => {
    const docs =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700;font-style:italic">Bold</span><span style="font-weight:400;text-decoration:none"> plain</span></p></b><br class="Apple-interchange-newline">';
    expect(sanitize(docs)).toBe('<p><em><strong>Bold</strong></em> plain</p><br>');
  });

  it('keeps its direction from right to left, even if a removed element sets it [DECISIONS §11]', () => {
    expect(sanitize('<div dir="rtl"><div>a</div><p dir="ltr">b</p><p>c <span dir="rtl">d</span></p></div>')).toBe(
      '<p dir="rtl">a</p><p>b</p><p dir="rtl">c d</p>',
    );
  });

  it('from a web page becomes paragraphs and tables [§2.19]', () => {
    const page = `<div class="card" data-x="1"><header><h2 id="t">Storage</h2></header><div>Keep <span style="font-weight:600">cold</span></div><section>Two<p>Three</p>Four</section>
      <table><thead><tr><th>Drug</th><th>Range</th></tr></thead><tbody><tr><td>MMR</td><td>2–8 °C</td></tr></tbody></table><img src="a.png" alt="x"></div>`;
    expect(sanitize(page)?.replace(/\s*\n\s*/g, '')).toBe(
      '<h2>Storage</h2><p>Keep <strong>cold</strong></p><p>Two</p><p>Three</p><p>Four</p><table><tbody><tr><th>Drug</th><th>Range</th></tr></tbody><tbody><tr><td>MMR</td><td>2–8 °C</td></tr></tbody></table>',
    );
  });
});

describe('any markup', () => {
  const tag = fc.constantFrom(
    ...RICH_TEXT_TAGS,
    ...'b i div span table tr td select option svg math mtext mglyph style template form button noscript font title'.split(
      ' ',
    ),
    ...'img iframe constructor p@ foo<bar'.split(' '),
    'annotation-xml',
    'foreignObject',
  );
  const attribute = fc.constantFrom(
    '',
    ' href="javascript:x"',
    ' href=" https://a.test "',
    ' is=x',
    ' dir=rtl',
    ' dir=" RTL"',
    ' dir=ltr',
    ' onclick=x',
    ' style="font-weight:bold;text-decoration:underline"',
    ' class="ql-indent-1"',
    ' data-list=checked',
    ' data-list=constructor',
    ' data-checked=true',
    ' class=ql-video src=https://a.test',
    ' class=ql-syntax',
    ' style="mso-list:l0 level2"',
  );
  const piece = fc.oneof(
    fc.tuple(tag, attribute).map(([name, rest]) => `<${name}${rest}>`),
    tag.map((name) => `</${name}>`),
    fc.constantFrom('text', '\n', ' ', '&amp;', '&#13;', '&nbsp;', '<!--', '-->', '<![CDATA[', ']]>', '"', "'>", '<'),
  );

  it.each([
    ['<</sub>text<!--', '&lt;text'],
    ['<p>a &lt;b<!--EndFragment--></p>', '<p>a &lt;b</p>'],
  ])('%j keeps its text, although it looks like a tag and is next to a comment [§2.19]', (html, clean) => {
    expect(sanitize(html)).toBe(clean);
  });

  it('becomes stable, with nothing forbidden in it [§5]', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const clean = sanitize(pieces.join(''));
        if (clean === undefined) return;
        expect(findFaults(clean)).toEqual([]);
        expect(sanitize(clean)).toBe(clean);
      }),
      { numRuns: IS_LONG_RUN ? 1_500 : 400 },
    );
  });

  it('loses none of its text [§2.19]', () => {
    const inline = fc.constantFrom('b', 'i', 'span', 'div', 'p', 'td', 'article', 'font', 'custom-tag', 'label');
    fc.assert(
      fc.property(fc.array(fc.tuple(inline, fc.stringMatching(/^[a-z]{1,5}$/)), { maxLength: 12 }), (parts) => {
        const html = parts.map(([name, text]) => `<${name}>${text}</${name}>`).join('');
        expect((sanitize(html) ?? '').replace(/<[^>]*>/g, '')).toBe(parts.map(([, text]) => text).join(''));
      }),
      { numRuns: 300 },
    );
  });
});
