import createNextIntlPlugin from 'next-intl/plugin';

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked by `npm run types`; the image optimizer is a service that nothing here uses.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Text is compressed here, as the service also runs without a proxy before it: a third of the bytes.
  compress: true,
  // src/i18n/messages.ts compiles the messages, so that browsers need no parser for them.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  experimental: {
    // The documentation and the back office each have a root layout, so no single one could show what is found nowhere.
    globalNotFound: true,
    // `forbidden()`: a page that one's role does not allow is answered with 403.
    authInterrupts: true,
  },
};

export default createNextIntlPlugin('./src/i18n/request.ts')(config);
