/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked by `npm run types`; the image optimizer is a service that nothing here uses.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  compress: false,
};
