'use client';

import dynamic from 'next/dynamic';

/** The viewer is a large script that runs only in the browser, so it is loaded only by the reference page. */
export const ReferenceLoader = dynamic(() => import('./reference-viewer'), {
  ssr: false,
  loading: () => <p className="docs-wait">Loading the reference…</p>,
});
