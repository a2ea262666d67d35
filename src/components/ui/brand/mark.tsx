/**
 * The brand mark: a brick with two studs, in the accent colour. Decorative, because the name or a heading is next to it.
 * `src/app/icon.svg` and `favicon.ico` have the same shape.
 * @param size the width and height in pixels
 */
export function BrandMark({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path
        fill="var(--desk-accent)"
        d="M4 3h3.5a1 1 0 0 1 1 1v2h3V4a1 1 0 0 1 1-1H16a1 1 0 0 1 1 1v2h.5A1.5 1.5 0 0 1 19 7.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 1 15.5v-8A1.5 1.5 0 0 1 2.5 6H3V4a1 1 0 0 1 1-1Z"
      />
      <path fill="var(--desk-page)" d="M7 10.5h6a.75.75 0 0 1 0 1.5H7a.75.75 0 0 1 0-1.5Z" />
    </svg>
  );
}
