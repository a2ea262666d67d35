/** Formats an item's variations on one line, with a space after each colon: `Size: A3`. */
export const variationText = (variations: string) =>
  variations
    .split(/\s*\r?\n\s*/)
    .filter(Boolean)
    .map((line) => line.replace(/^([^:：\d]{1,40})[:：]\s*/, '$1: '))
    .join(' · ');
