/** Formats an item's variations on one line, such as `Size: A3 · Colour: Red`. */
export const variationText = (variations: string) =>
  variations
    .split(/\s*\r?\n\s*/)
    .filter(Boolean)
    .map((line) => line.replace(/^([^:：\d]{1,40})[:：]\s*/, '$1: '))
    .join(' · ');
