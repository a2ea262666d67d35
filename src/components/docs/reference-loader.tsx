'use client';

import dynamic from 'next/dynamic';

/** The viewer is a large script that runs only in the browser, so it is loaded only by the reference page. */
export const ReferenceLoader = dynamic(() => import('./reference-viewer'), {
  ssr: false,
  loading: () => (
    <div className="docs-wait">
      <p>Loading the reference…</p>
      <noscript>
        <p>
          The reference needs JavaScript. Without it, read the <a href="/llms.txt">list of operations</a> or
          the <a href="/docs/api/openapi.json">OpenAPI document</a>.
        </p>
      </noscript>
    </div>
  ),
});
