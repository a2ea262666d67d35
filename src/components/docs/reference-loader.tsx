'use client';

import dynamic from 'next/dynamic';

/** The viewer is a megabyte of script that runs only in the browser, so it is loaded when its page is opened. */
export const ReferenceLoader = dynamic(() => import('./reference-viewer'), {
  ssr: false,
  loading: () => <p className="docs-wait">Loading the reference…</p>,
});
