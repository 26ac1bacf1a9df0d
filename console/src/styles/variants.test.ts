import { join } from 'node:path';
import { compile } from 'sass';
import { describe, expect, it } from 'vitest';
import { NAVBAR_VARIANTS, SIDEBAR_SKINS } from '../app/state/variants.ts';

type Rgb = [number, number, number];

const { css } = compile(join(import.meta.dirname, 'variants.scss'));

function parseHex(hex: string): Rgb {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Whether a simple selector of the sheet matches an element with these classes. */
function matches(selector: string, classes: string): boolean {
  const part = /\[class\*=["']?([\w-]+)["']?\]/.exec(selector)?.[1];
  if (part) return classes.includes(part);
  return selector
    .split('.')
    .filter(Boolean)
    .every((name) => classes.split(' ').includes(name));
}

/** Custom properties of an element with these classes; more classes in a selector win, then the later rule. */
function propertiesOf(classes: string): Record<string, string> {
  const rules = [...css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(
    ([, heads = '', body = '']) => heads.split(',').map((head) => ({ selector: head.trim(), body })),
  );
  const weight = (selector: string) => selector.split(/[.[]/).length;
  const applying = rules.filter(({ selector }) => matches(selector, classes));
  applying.sort((a, b) => weight(a.selector) - weight(b.selector));
  const entries = applying.flatMap(({ body }) => [...body.matchAll(/(--[\w-]+):\s*([^;]+);?/g)]);
  return Object.fromEntries(entries.map(([, name = '', value = '']) => [name, value.trim()]));
}

/** The colour of a property: a hex, or a mix of another property with a hex. */
function colourOf(properties: Record<string, string>, name: string): Rgb {
  const value = properties[name] ?? '';
  const mix = /color-mix\(in srgb, var\((--[\w-]+)\) (\d+)%, (#\w+)\)/.exec(value);
  if (!mix) return parseHex(value);
  const [, of = '', share = '', other = ''] = mix;
  const [from, to, part] = [colourOf(properties, of), parseHex(other), Number(share) / 100];
  const channel = (index: 0 | 1 | 2) => from[index] * part + to[index] * (1 - part);
  return [channel(0), channel(1), channel(2)];
}

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(properties: Record<string, string>, text: string, ground: string): number {
  const colours = [colourOf(properties, text), colourOf(properties, ground)];
  const [dark = 0, light = 0] = colours.map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const values = (lists: Record<'light' | 'dark', { value: string }[]>) =>
  [...lists.light, ...lists.dark].map(({ value }) => value);

describe('variants', () => {
  it('are 4 light and 15 dark navbars, 16 light and 16 dark skins [§9]', () => {
    expect(NAVBAR_VARIANTS.light).toHaveLength(4);
    expect(NAVBAR_VARIANTS.dark).toHaveLength(15);
    expect(SIDEBAR_SKINS.light).toHaveLength(16);
    expect(SIDEBAR_SKINS.dark).toHaveLength(16);
  });

  it.each(values(NAVBAR_VARIANTS))('%s: readable, also under the pointer [§9]', (value) => {
    const properties = propertiesOf(value);
    for (const text of ['--nb-fg', '--nb-muted']) {
      expect(contrast(properties, text, '--nb-bg')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(properties, text, '--nb-hover')).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(values(SIDEBAR_SKINS))('%s: readable, also under the pointer and when active [§9]', (value) => {
    const properties = propertiesOf(value);
    expect(contrast(properties, '--sb-muted', '--sb-bg')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(properties, '--sb-fg', '--sb-hover')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(properties, '--sk', '--sk-soft')).toBeGreaterThanOrEqual(4.5);
  });

  it('each has a rule of its own [§9]', () => {
    const grounds = values(SIDEBAR_SKINS).map((value) => propertiesOf(value)['--sk']);
    expect(new Set(grounds).size).toBe(32);
    const [, , , , , ...fills] = values(NAVBAR_VARIANTS).map((value) => propertiesOf(value)['--nb-bg']);
    expect(new Set(fills).size).toBe(14);
  });
});
