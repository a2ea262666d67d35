'use client';

import { ApiReferenceReact } from '@scalar/api-reference-react';
import '@scalar/api-reference-react/style.css';

/** The background and accent of our pages, in light and dark. */
const COLOUR_CSS =
  '.light-mode, .dark-mode { --scalar-background-1: var(--desk-page); --scalar-background-2: var(--desk-raised); --scalar-color-accent: var(--desk-accent); }';

/** Hides samples from Scalar's list, leaving curl, JavaScript, Python and PHP. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    'c clojure csharp dart fsharp go http java kotlin objc ocaml powershell r ruby rust swift'
      .split(' ')
      .map((name) => [name, true]),
  ),
  shell: ['httpie', 'wget'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  node: ['axios', 'fetch', 'ofetch'],
  python: ['httpx_async', 'httpx_sync', 'aiohttp'],
};

/**
 * Shows our OpenAPI document in Scalar. Loads nothing from other hosts and sends nothing to them: no fonts, telemetry, agent or
 * proxy. Test requests go to the page's own origin.
 */
export default function ReferenceViewer() {
  return (
    <ApiReferenceReact
      configuration={{
        url: '/docs/api/openapi.json',
        servers: [{ url: window.location.origin, description: 'This service' }],
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        showDeveloperTools: 'never',
        hideClientButton: true,
        layout: 'modern',
        theme: 'default',
        hideDarkModeToggle: true,
        customCss: COLOUR_CSS,
        hiddenClients: HIDDEN_CLIENTS,
        defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
        authentication: { preferredSecurityScheme: 'ApiKey' },
        metaData: { title: 'API reference - Brickdesk' },
      }}
    />
  );
}
