import { z } from 'zod';
import { webUrl } from '../core/http/web-address';
import { headerSecret, integer } from './variable-formats';

/** The variables of the replies to buyers: the text provider that writes them, and how much it may write. */
export const REPLY_VARIABLES = {
  OPENAI_API_KEY: headerSecret.optional().meta({
    description: 'Key of the text provider. Without it, requests for a reply return 503.',
    secret: true,
  }),
  OPENAI_BASE_URL: webUrl.default('https://api.openai.com/v1').meta({
    description: 'URL of the text provider: OpenAI, or any other with a compatible chat completions API.',
  }),
  OPENAI_MODEL: z.string().min(1).max(200).default('gpt-5.4-mini').meta({
    description: 'The model that writes replies to buyers.',
  }),
  OPENAI_TIMEOUT_MS: integer(100, 600_000).default(30_000).meta({
    description: 'How long a reply of the text provider may take, retries included.',
  }),
  OPENAI_MAX_OUTPUT_TOKENS: integer(100, 1_000_000).default(8_192).meta({
    description:
      'Maximum number of tokens that the text provider may write for one reply, reasoning included.',
  }),
  REPLY_TOKENS_PER_DAY: integer(0, 1_000_000_000).default(2_000_000).meta({
    description:
      'Tokens, read and written, that the replies of one API key may use in a UTC day, unless the key has its own budget. The same limit applies to all playground trials together, and to all drafts on order pages together.',
  }),
};
