import '../../core/errors/validation';
import { z } from 'zod';
import { roleSchema } from '../schema';

const instant = z.iso.datetime().meta({ examples: ['2026-08-22T04:00:00.000Z'] });

/** The cookie in which the sign-in page stores the browser's time zone. */
export const TIME_ZONE_COOKIE = 'brickdesk.time-zone';

/** The response of GET /api/user, without an envelope (docs/api-conventions.md). */
export const userResponse = z
  .object({
    id: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    name: z.string().meta({ examples: ['Ann'] }),
    email: z.string().meta({ examples: ['ann@example.com'] }),
    role: roleSchema,
    locale: z.string().meta({ description: 'Language of the pages', examples: ['en'] }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'User', description: 'The user that the bearer token belongs to' });
