'use client';

import { useLocale } from 'next-intl';
import { Children, Fragment, type ReactNode } from 'react';

/** Sentences one after another, with a space between them in English and none in Chinese. Leaves out what is not rendered. */
export function Sentences({ children }: { children: ReactNode }) {
  const space = useLocale() === 'zh' ? '' : ' ';
  return Children.toArray(children).map((sentence, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other key and keep their order
    <Fragment key={index}>
      {index > 0 && space}
      {sentence}
    </Fragment>
  ));
}
