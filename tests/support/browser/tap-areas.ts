import type { Page } from 'playwright';
import { waitForAnimations } from './browser';

/**
 * Returns the visible buttons, fields and links whose tap area is too small, measured along the lines through the middle of the
 * control: less than 44 px wide or high or, in a card, whose own link takes the taps beside its controls, less than 24 px high. The
 * area includes a checkbox's label or cell, and the row that a link opens. Links inside a sentence are left out, as are links to a
 * part of the page, which are for keyboards.
 */
export async function findSmallTapAreas(page: Page, containerSelector = 'body'): Promise<string[]> {
  await waitForAnimations(page);
  return page.locator(containerSelector).evaluate((container) => {
    const isInSentence = (element: Element) =>
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent ?? ''),
      );
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    /** Returns the control or, if it is hidden and its label is drawn as the control, the label; undefined if neither is shown. */
    const findShownPart = (control: HTMLElement): HTMLElement | undefined => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      return [control, ...labels].find(isVisible);
    };
    const measureTapArea = (element: HTMLElement, control: HTMLElement) => {
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      const takesTap = (offsetX: number, offsetY: number) => {
        const target = document.elementFromPoint(x + width / 2 + offsetX, y + height / 2 + offsetY);
        return (
          target !== null &&
          (element.contains(target) ||
            target.closest('label')?.control === control ||
            target.closest('[data-choose]')?.contains(element) === true ||
            (element.matches('[data-heading] a') &&
              target.closest('[data-opens]')?.contains(element) === true))
        );
      };
      const takesTapAt = (pixel: number, stepX: number, stepY: number) =>
        takesTap((pixel + 0.5) * stepX, (pixel + 0.5) * stepY);
      // Tries only every fourth pixel at first, because pages have hundreds of controls. Gaps of up to three may be missed.
      const countPixels = (stepX: number, stepY: number) => {
        let count = 0;
        while (count < 44 && takesTapAt(count + 3, stepX, stepY)) count += 4;
        while (count < 44 && takesTapAt(count, stepX, stepY)) count++;
        return count;
      };
      return {
        width: countPixels(-1, 0) + countPixels(1, 0),
        height: countPixels(0, -1) + countPixels(0, 1),
      };
    };
    const controls = container.querySelectorAll<HTMLElement>(
      'a[href]:not([href^="#"]), button, input, select, textarea, summary',
    );
    const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((element) =>
      element.checkVisibility(),
    );
    return [...controls].flatMap((element) => {
      // What an open dialog covers cannot be tapped.
      if (dialog && !dialog.contains(element)) return [];
      const shownPart = findShownPart(element);
      if (!shownPart) return [];
      if (element.matches('a') && isInSentence(element)) return [];
      const isInCard = element.closest('[data-card]') !== null;
      const { width, height } = measureTapArea(shownPart, element);
      // A pixel may be lost to rounding or to the border of a field.
      if (isInCard ? height >= 23 : Math.min(width, height) >= 43) return [];
      const name = element.getAttribute('aria-label') ?? shownPart.textContent;
      return [`${element.tagName} ${name}: ${width} × ${height}`];
    });
  });
}
