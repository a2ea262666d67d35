import { expect, it } from 'vitest';
import { findLinkTo } from '../../../../../src/components/shell/navigation/route-focus';

interface Link {
  name: string;
  pathname: string;
  isHeading: boolean;
  isVisible: boolean;
}

/** Returns the name of the link that gets the focus if the page has these links, in this order. */
function nameOfLinkTo(path: string, links: readonly Link[]): string | undefined {
  const elements = links.map((link) => ({ ...link, offsetParent: link.isVisible ? {} : null }));
  const querySelectorAll = (selectors: string) =>
    elements.filter(({ isHeading }) => isHeading || selectors.split(', ').includes('main a'));
  const page = { querySelectorAll } as unknown as ParentNode;
  return (findLinkTo(path, page) as unknown as Link | undefined)?.name;
}

const notice = { name: 'notice', pathname: '/keys/1', isHeading: false, isVisible: true };
const heading = { name: 'heading', pathname: '/keys/1', isHeading: true, isVisible: true };
const otherHeading = { ...heading, name: 'other heading', pathname: '/keys/2' };

it('after Back, the heading of the row that was opened gets the focus, not an earlier link to the same page', () => {
  expect(nameOfLinkTo('/keys/1', [notice, otherHeading, heading])).toBe('heading');
});

it('after Back, another visible link gets the focus if no visible heading links to the page', () => {
  expect(nameOfLinkTo('/keys/1', [otherHeading, notice])).toBe('notice');
  expect(nameOfLinkTo('/keys/1', [notice, { ...heading, isVisible: false }])).toBe('notice');
  expect(nameOfLinkTo('/keys/1', [otherHeading])).toBeUndefined();
});
