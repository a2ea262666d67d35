'use client';

import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { FocusableButton } from './focusable-button';

/** The only accent colour. The shades used in the two schemes are those of tokens.css. */
const accent: MantineColorsTuple = [
  '#eef3fd',
  '#e9f0fd',
  '#cfe0fb',
  '#a5c6ff',
  '#6ea3ff',
  '#4a87f0',
  '#2f72e4',
  '#1d5fd1',
  '#184fb0',
  '#0f3a85',
];

const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fde5e3',
  '#fbd0cc',
  '#ffbdb6',
  '#ff9d94',
  '#f27b70',
  '#d9453a',
  '#b3261e',
  '#941f18',
  '#701712',
];

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eceff3',
  '#e6e8ec',
  '#dde1e7',
  '#cfd5dd',
  '#b4bcc8',
  '#5d6673',
  '#454d59',
  '#2b323b',
  '#14171c',
];

const dark: MantineColorsTuple = [
  '#e9ecf1',
  '#c5ccd6',
  '#98a2b0',
  '#7f8a98',
  '#363d47',
  '#282d35',
  '#1c2026',
  '#15181d',
  '#111419',
  '#0b0d10',
];

const FONT = 'var(--desk-font)';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';

/** Like a page's second-level heading. */
const DIALOG_TITLE = { fontSize: 16, fontWeight: 600 };

/** Calm and dense, on a 4 px grid. */
export const theme = createTheme({
  colors: { accent, red, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  // Mantine's automatic contrast considers only the shade of the light scheme.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...colors, color: 'var(--desk-on-accent)' } : colors;
  },
  black: '#14171c',
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '32px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '24px' },
    },
  },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '24px', lg: '24px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects, because `Badge.extend(…)` would make every page load all of these components.
  components: {
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      // Chinese is hard to read below 12 px.
      styles: {
        root: {
          '--badge-fz': '12px',
          '--badge-height': '20px',
          minWidth: 'max-content',
          verticalAlign: 'middle',
        },
      },
    },
    Checkbox: { defaultProps: { iconColor: 'var(--desk-on-accent)' } },
    ActionIcon: { defaultProps: { component: FocusableButton } },
    Button: {
      defaultProps: { size: 'sm', component: FocusableButton },
      styles: { label: { fontWeight: 500 } },
    },
    Drawer: { defaultProps: { position: 'right', size: 'md' }, styles: { title: DIALOG_TITLE } },
    Modal: { defaultProps: { centered: true }, styles: { title: DIALOG_TITLE } },
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/** The tokens of tokens.css, by the name of Mantine's colour. */
const TOKENS = {
  gray: 'grey',
  yellow: 'amber',
  violet: 'violet',
  blue: 'blue',
  green: 'green',
  red: 'red',
};

/** Mantine's variables, set from our tokens, which cover both schemes. */
const variables = {
  '--mantine-color-text': 'var(--desk-text)',
  '--mantine-color-body': 'var(--desk-page)',
  '--mantine-color-dimmed': 'var(--desk-dimmed)',
  '--mantine-color-placeholder': 'var(--desk-dimmed)',
  '--mantine-color-anchor': 'var(--desk-accent)',
  '--mantine-color-error': 'var(--desk-red-text)',
  '--mantine-color-default': 'var(--desk-page)',
  '--mantine-color-default-hover': 'var(--desk-raised)',
  '--mantine-color-default-color': 'var(--desk-text)',
  '--mantine-primary-color-contrast': 'var(--desk-on-accent)',
  '--mantine-color-accent-light': 'var(--desk-tint)',
  '--mantine-color-accent-light-hover': 'var(--desk-tint)',
  '--mantine-color-accent-light-color': 'var(--desk-accent)',
  ...Object.fromEntries(
    Object.entries(TOKENS).flatMap(([color, token]) => [
      [`--mantine-color-${color}-light`, `var(--desk-${token})`],
      [`--mantine-color-${color}-light-hover`, `var(--desk-${token})`],
      [`--mantine-color-${color}-light-color`, `var(--desk-${token}-text)`],
    ]),
  ),
};

/** Returns the variables for each scheme, because Mantine's own values for a scheme would override values for all schemes. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
});
