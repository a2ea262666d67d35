import localFont from 'next/font/local';

/**
 * Inter, self-hosted and preloaded. If the file loads too late, the page keeps the system font, so nothing shifts; on the next
 * visit the file is cached.
 */
const inter = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  adjustFontFallback: 'Arial',
  variable: '--font-inter',
});

/** The letters of other European languages, loaded only by pages that use any of them. */
const interExtended = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  variable: '--font-inter-extended',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
});

/** The classes of the root element. They define the variables that `--desk-font` in typeface.css uses. */
export const fontClasses = `${inter.variable} ${interExtended.variable}`;
