import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { theme } from '../../../../src/components/theme/theme';

const SCHEMES = ['light', 'dark'] as const;
const COLOURS = ['grey', 'amber', 'violet', 'blue', 'green', 'red'];

const css = readFileSync('src/components/theme/tokens.css', 'utf8');
const tokens = new Map(
  [...css.matchAll(/--desk-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
);

/** Returns the relative luminance as defined by WCAG 2.2. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((offset) => {
    const channel = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(text: string, background: string): number {
  const [darker, lighter] = [luminance(text), luminance(background)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

it('every token has a value for the light and for the dark scheme', () => {
  expect(tokens.size).toBe(css.match(/--desk-[a-z-]+:/g)?.length);
});

const BACKGROUNDS = ['page', 'side', 'raised', 'tint'];
const PAIRS = [
  ['on-accent', 'accent'],
  ['on-accent', 'red-text'],
  ...BACKGROUNDS.flatMap((background) => ['text', 'dimmed', 'accent'].map((text) => [text, background])),
  ...COLOURS.flatMap((colour) => [
    [`${colour}-text`, colour],
    [`${colour}-text`, 'page'],
    [`${colour}-text`, 'side'],
    ['text', colour],
  ]),
];

it.each(PAIRS)('%s is readable on %s', (text, background) => {
  for (const scheme of SCHEMES)
    expect(
      contrast(tokens.get(text!)![scheme], tokens.get(background!)![scheme]),
      scheme,
    ).toBeGreaterThanOrEqual(4.5);
});

it("Mantine's accent, red and greys are the colours of the tokens", () => {
  const primaryShades = theme.primaryShade as { light: number; dark: number };
  const { accent, red, gray, dark } = theme.colors!;
  expect([accent![primaryShades.light as 0], accent![primaryShades.dark as 0]]).toEqual(
    Object.values(tokens.get('accent')!),
  );
  expect([red![primaryShades.light as 0], red![primaryShades.dark as 0]]).toEqual(
    Object.values(tokens.get('red-text')!),
  );
  expect([gray![9], dark![0]]).toEqual(Object.values(tokens.get('text')!));
  expect([gray![6], dark![2]]).toEqual(Object.values(tokens.get('dimmed')!));
});
