/**
 * Every path, or first segment of paths, that the service serves whatever its configuration is. The configurable path of the back
 * office must be none of them (ADMIN_PREFIX). `/docs` is a folder of src/app.
 */
export const FIXED_PATHS = {
  api: '/api',
  docs: '/docs',
  health: '/healthz',
  mcp: '/mcp',
  oauth: '/oauth',
  readiness: '/readyz',
  unsubscribe: '/unsubscribe',
} as const;
