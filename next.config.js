import createNextIntlPlugin from 'next-intl/plugin';

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run types` checks the types, and nothing here uses the image optimizer.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Compresses text to about a third of its size, because the service may run without a proxy in front of it.
  compress: true,
  // src/i18n/messages.ts compiles the messages, so that browsers need no parser for them.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  experimental: {
    // Set by scripts/build.mjs.
    turbopackFileSystemCacheForBuild: process.env.CACHE_PAGES_BUILD === '1',
    // Nothing reads the source maps of a production build.
    turbopackSourceMaps: process.env.NODE_ENV !== 'production',
    // The documentation and the back office each have a root layout, so the page for unknown addresses needs one of its own.
    globalNotFound: true,
    // Enables `forbidden()`: a page that the user's role does not allow returns 403.
    authInterrupts: true,
    // A navigation waits while the service cannot be reached. It would lead to the browser's own error page.
    useOffline: true,
  },
};

export default createNextIntlPlugin('./src/i18n/request.ts')(config);
