'use client';

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The only accent: the blue of the documentation. */
const accent: MantineColorsTuple = [
  '#eef5fc',
  '#d9e8f7',
  '#b0d0ef',
  '#84b6e6',
  '#5f9fde',
  '#3a86d2',
  '#1f70bf',
  '#0b5cad',
  '#084b8f',
  '#063a70',
];

const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#eef0f3',
  '#e4e7eb',
  '#d9dde3',
  '#ccd2d9',
  '#9aa3ae',
  '#57606a',
  '#424a53',
  '#2f353d',
  '#1c2128',
];

const dark: MantineColorsTuple = [
  '#e3e6ea',
  '#c3c9d1',
  '#9aa4b0',
  '#7d8793',
  '#3a424c',
  '#2a3038',
  '#1d2127',
  '#14171b',
  '#101316',
  '#0b0d10',
];

const FONT = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';

/** Like a page's second-level heading. */
const DIALOG_TITLE = { fontSize: 16, fontWeight: 600 };

/** Calm and dense, on an 8 px grid. */
export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  black: '#1c2128',
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
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '24px', lg: '24px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects rather than `Badge.extend(…)`, which would make every page load all of these.
  components: {
    // The default text colour of a light badge is too faint on its background.
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      styles: {
        root: { minWidth: 'max-content', color: 'var(--mantine-color-text)', verticalAlign: 'middle' },
      },
    },
    Button: { defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 500 } } },
    Drawer: { defaultProps: { position: 'right', size: 'md' }, styles: { title: DIALOG_TITLE } },
    Modal: { defaultProps: { centered: true }, styles: { title: DIALOG_TITLE } },
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/** Mantine's greys for dimmed text fail AA contrast on its backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#57606a',
    '--mantine-color-placeholder': '#68717c',
    '--mantine-color-error': '#b42318',
    '--desk-raised': '#f6f7f9',
    '--desk-border': '#d9dde3',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa4b0',
    '--mantine-color-placeholder': '#8b95a1',
    '--mantine-color-error': '#ff8f85',
    '--desk-raised': '#1d2127',
    '--desk-border': '#2f353d',
  },
});
