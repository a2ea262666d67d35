import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ErrorsGuide } from '../../../../src/components/docs/guide-errors';
import { ERROR_CODES } from '../../../../src/server/core/errors/error-codes';

/** Returns the contents of all elements with this tag. */
const contentsOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}(?: [^>]*)?>(.*?)</${tag}>`, 'g'))].map(([, content]) => content!);

const textOf = (html: string) => html.replace(/<[^>]+>/g, '');

it('the errors guide says to retry exactly the errors after which its table says to send the request again', () => {
  const html = renderToStaticMarkup(createElement(ErrorsGuide, { origin: 'https://example.com' }));
  const rows = contentsOf(html, 'tr')
    .map((row) => contentsOf(row, 'td').map(textOf))
    .filter(([, code]) => code && code in ERROR_CODES);
  expect(rows).toHaveLength(Object.keys(ERROR_CODES).length);
  const [retriedErrorsText] = contentsOf(html, 'p')
    .map(textOf)
    .flatMap((text) => /^Retry ([^:]*):/.exec(text)?.[1] ?? []);
  for (const [status, code, meaning, advice] of rows) {
    // The API never returns these, so the guide need not say when to retry them.
    if (meaning!.includes('only the back office')) continue;
    const isRetried = retriedErrorsText!.includes(status!) && !retriedErrorsText!.includes(code!);
    expect([code, isRetried]).toEqual([code, /again|later|Wait/.test(advice!)]);
  }
});
