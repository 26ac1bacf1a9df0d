import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderWithStore } from '../../../testing/render.tsx';
import { richTextLines } from './rich-text-lines.ts';
import { TextDiff } from './text-diff.tsx';

describe('the difference of two texts [DECISIONS §13]', () => {
  it('has all of both, but for equal text far from what is different', () => {
    // On a busy machine the comparison would give up words.
    vi.spyOn(Date, 'now').mockReturnValue(0);
    const far = 'equal '.repeat(200);
    const { container } = renderWithStore(<TextDiff before={`${far}old end`} after={`${far}new end`} isText />);
    expect(screen.getByRole('deletion').textContent).toBe('Only then: old');
    expect(screen.getByRole('insertion').textContent).toBe('Only now: new');
    expect(container.textContent).toMatch(/^ … .*equal Only then: oldOnly now: new end$/);
    expect(container.textContent?.length).toBeLessThan(300);
  });

  it('gives up words, then lines, where texts are long and have nothing in common', () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(' ');
    const [before, after] = [text('a'), text('b')];
    renderWithStore(<TextDiff before={before} after={after} isText />);
    expect(screen.getByRole('deletion').textContent).toContain(before);
    expect(screen.getByRole('insertion').textContent).toContain(after);
  });
});

it('lines of rich text tell what words alone do not [DECISIONS §13]', () => {
  const html = `<h2>Cold</h2><p>Keep <strong>it</strong> <a href="https://a.test">so</a>:<br>always.</p>
    <ol><li>one</li></ol><ul><li><p>two</p></li></ul><hr>
    <p><img src="/faqs/images/${'ab'.repeat(32)}" alt="A fridge"></p>
    <table><tbody><tr><th>Shelf</th><td>Days</td></tr></tbody></table>`;
  expect(richTextLines(html).split('\n')).toEqual([
    '## Cold',
    'Keep **it** so (https://a.test):',
    'always.',
    '1. one',
    '•',
    'two',
    '―――',
    '[A fridge abababab]',
    'Shelf | Days |',
  ]);
});
