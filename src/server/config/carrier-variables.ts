import { z } from 'zod';
import { webUrl } from '../core/http/web-address';
import { CARRIERS } from '../tracking/carriers/carrier-list';
import { headerSecret, integer } from './variable-formats';

/** The variables of the service that is queried about shipments. */
export const CARRIER_VARIABLES = {
  CARRIER: z.enum(CARRIERS).default('17track').meta({
    description: 'The service that is queried about shipments: 17track or yanwen.',
  }),
  TRACK17_KEY: headerSecret.optional().meta({
    description: "17TRACK's API key. Without it, and with CARRIER 17track, carrier queries return 503.",
    secret: true,
  }),
  TRACK17_BASE_URL: webUrl.default('https://api.17track.net/track/v2.2').meta({
    description: "URL of 17TRACK's API, including its version.",
  }),
  TRACK17_REGISTER: z.enum(['true', 'false']).default('false').meta({
    description: 'Whether to register numbers that 17TRACK does not follow yet, which uses up quota.',
  }),
  YANWEN_ACCOUNT: headerSecret.optional().meta({
    description:
      'Merchant account at Yanwen. Without it, and with CARRIER yanwen, carrier queries return 503.',
    secret: true,
  }),
  YANWEN_BASE_URL: webUrl
    .default('http://api.track.yw56.com.cn')
    .meta({ description: "Yanwen's tracking API." }),
  CARRIER_TIMEOUT_MS: integer(100, 120_000).default(10_000).meta({
    description: 'How long a query to the carrier may take, retries included.',
  }),
};
