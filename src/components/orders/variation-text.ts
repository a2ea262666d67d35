/** An item's variations in one line, each as a reader writes it: `Size: A3`. */
export const variationText = (variations: string) =>
  variations
    .split(/\s*\r?\n\s*/)
    .filter(Boolean)
    .map((line) => line.replace(/^([^:：\d]{1,40})[:：]\s*/, '$1: '))
    .join(' · ');
