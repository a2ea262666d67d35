import type { FirstOwner } from '../identity/users/service';

/** What the first start prints, once: the only copy of the key and of a generated password. */
export function firstStartText(owner: FirstOwner, config: { APP_URL: string; ADMIN_PREFIX: string }): string {
  const password = owner.password === null ? 'the one in ADMIN_PASSWORD' : owner.password;
  return `
  First start. Keep these; they are not shown again.

    Owner     ${owner.email}
    Password  ${password}
    API key   ${owner.key}

  Sign in at ${config.APP_URL}${config.ADMIN_PREFIX}

  Next, in another terminal in this folder:

    npm run -s cli -- account create --name "My shop"
    npm run -s cli -- orders import FILE.csv --account 1

  or over HTTP:

    curl ${config.APP_URL}/api/orders/import -H "X-Api-Key: ${owner.key}" -H "Content-Type: application/json" \\
      -d '{"account_id": 1, "rows": [{"receipt_id": "1001", "title": "Fox Sticker", "quantity": 1, "price": 4.49, "sale_date": "08/22/2026"}]}'
`;
}

/** What every start prints: where the service is. */
export function startedText(service: {
  version: string;
  appUrl: string;
  adminPrefix: string;
  where: string;
}): string {
  return `
  Brickdesk ${service.version} is ready.

    Service   ${service.appUrl}
    Admin     ${service.appUrl}${service.adminPrefix}
    API       ${service.appUrl}/docs/api
    Database  ${service.where}
    Commands  npm run -s cli -- --help

  Ctrl-C stops it.
`;
}
