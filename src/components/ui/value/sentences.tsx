'use client';

import { useLocale } from 'next-intl';
import { Fragment, type ReactNode } from 'react';

/**
 * Sentences one after another, with a space between them in English and none in Chinese. Each child is a sentence, which may be an
 * array of text and links. Leaves out what is not rendered.
 */
export function Sentences({ children }: { children: ReactNode }) {
  const space = useLocale() === 'zh' ? '' : ' ';
  const sentences = [children]
    .flat()
    .filter((child) => child !== undefined && child !== null && child !== false);
  return sentences.map((sentence, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other key and keep their order
    <Fragment key={index}>
      {index > 0 && space}
      {sentence}
    </Fragment>
  ));
}
