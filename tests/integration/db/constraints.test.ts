import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    INSERT INTO users (id, email, name, role) VALUES (1, 'a@example.com', 'A', 'owner');
    INSERT INTO api_keys (id, name, hash, prefix, last_four, created_by) VALUES (1, 'k', sha256('k'), 'bd', 'abcd', 'a');
    INSERT INTO statistic_imports (id, kind, actor) VALUES (1, 'shop', 'a');
    INSERT INTO prompts (id, shop_name) VALUES (1, 'Shop');
    INSERT INTO prompt_versions (prompt_id, version, text, state, published_at) VALUES (1, 1, 'x', 'published', now());
    INSERT INTO tracking_numbers (tracking_number) VALUES ('AB1');`);
});
afterAll(() => database.drop());

const INSERT_SHOP_DAY = 'INSERT INTO shop_daily_statistics (shop_id, date';
const INSERT_LISTING_DAY = 'INSERT INTO product_daily_statistics (shop_id, date, listing_id';
const INSERT_RESTATEMENT =
  'INSERT INTO statistic_restatements (shop_id, date, kind, listing_id, before, after, api_key_id, import_id)';
const INSERT_KEY =
  'INSERT INTO api_keys (id, name, hash, prefix, last_four, created_by, reply_tokens_per_day, rotated_from_id)';
const INSERT_TOKEN =
  'INSERT INTO personal_tokens (user_id, name, hash, prefix, last_four, scopes, expires_at)';
const INSERT_PROMPT_VERSION = 'INSERT INTO prompt_versions (prompt_id, version, text, state, published_at)';
const INSERT_REPLY =
  'INSERT INTO replies (shop_name, messages, model, outcome, reply, error, duration_ms, extra)';
const insertReplySql = (values: string) =>
  `INSERT INTO replies (shop_name, messages, model, outcome, reply, duration_ms, kind, requested_by, shop_id, order_id, sent_text,
                        sent_at, sent_by) VALUES ('s', '[]', 'm', 'answered', 'r', 1, ${values})`;
const INSERT_CALL = `INSERT INTO api_key_calls (api_key_id, created_at, request_id, method, route, status, duration_ms)`;
const INSERT_IDEMPOTENT_REQUEST =
  'INSERT INTO idempotent_requests (api_key_id, operation, key, body_hash, leased_until, status, body)';

const REFUSED_STATEMENTS: [constraint: string, sql: string][] = [
  ['shop_daily_statistics_shop_id_not_blank', `${INSERT_SHOP_DAY}) VALUES (' ', '2026-01-01')`],
  [
    'shop_daily_statistics_counts',
    `${INSERT_SHOP_DAY}, ad_clicks, total_orders) VALUES ('s', '2026-01-01', 5, -1)`,
  ],
  [
    'shop_daily_statistics_counts',
    `${INSERT_SHOP_DAY}, total_views) VALUES ('s', '2026-01-01', 9007199254740992)`,
  ],
  ['shop_daily_statistics_amounts', `${INSERT_SHOP_DAY}, ad_spend) VALUES ('s', '2026-01-01', -0.01)`],
  ['shop_daily_statistics_rates', `${INSERT_SHOP_DAY}, conversion_rate) VALUES ('s', '2026-01-01', 100.01)`],
  ['shop_daily_statistics_revision', `${INSERT_SHOP_DAY}, revision) VALUES ('s', '2026-01-01', 0)`],
  ['shop_daily_statistics_extra_object', `${INSERT_SHOP_DAY}, extra) VALUES ('s', '2026-01-01', '[]')`],
  [
    'shop_daily_statistics_extra_size',
    `${INSERT_SHOP_DAY}, extra) VALUES ('s', '2026-01-01', jsonb_build_object('a', repeat('x', 65536)))`,
  ],
  ['shop_daily_statistics_pkey', `${INSERT_SHOP_DAY}) VALUES ('s', '2026-01-01'), ('s', '2026-01-01')`],
  ['product_daily_statistics_shop_id_not_blank', `${INSERT_LISTING_DAY}) VALUES ('', '2026-01-01', 1)`],
  ['product_daily_statistics_counts', `${INSERT_LISTING_DAY}) VALUES ('s', '2026-01-01', -1)`],
  [
    'product_daily_statistics_amounts',
    `${INSERT_LISTING_DAY}, roas) VALUES ('s', '2026-01-01', 1, 1000000000000.1)`,
  ],
  ['product_daily_statistics_rates', `${INSERT_LISTING_DAY}, click_rate) VALUES ('s', '2026-01-01', 1, -1)`],
  ['product_daily_statistics_revision', `${INSERT_LISTING_DAY}, revision) VALUES ('s', '2026-01-01', 1, -1)`],
  [
    'product_daily_statistics_extra_object',
    `${INSERT_LISTING_DAY}, extra) VALUES ('s', '2026-01-01', 1, '"text"')`,
  ],
  [
    'product_daily_statistics_extra_size',
    `${INSERT_LISTING_DAY}, extra) VALUES ('s', '2026-01-01', 1, jsonb_build_object('a', repeat('x', 65536)))`,
  ],
  [
    'statistic_restatements_listing',
    `${INSERT_RESTATEMENT} VALUES ('s', '2026-01-01', 'product', NULL, '{"a":1}', '{"a":2}', 1, NULL)`,
  ],
  [
    'statistic_restatements_source',
    `${INSERT_RESTATEMENT} VALUES ('s', '2026-01-01', 'shop', NULL, '{"a":1}', '{"a":2}', 1, 1)`,
  ],
  [
    'statistic_restatements_changed',
    `${INSERT_RESTATEMENT} VALUES ('s', '2026-01-01', 'shop', NULL, '{"a":1}', '{"a":1}', 1, NULL)`,
  ],
  [
    'statistic_restatements_import_id_fkey',
    `${INSERT_RESTATEMENT} VALUES ('s', '2026-01-01', 'shop', NULL, '{"a":1}', '{"a":2}', NULL, 2)`,
  ],
  ['tracking_numbers_normalised', `INSERT INTO tracking_numbers (tracking_number) VALUES ('ab1')`],
  ['tracking_numbers_normalised', `INSERT INTO tracking_numbers (tracking_number) VALUES ('A 1')`],
  [
    'tracking_events_identity_length',
    `INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, source) VALUES ('AB1', 'event', 'short', now(), 'plain')`,
  ],
  [
    'status_mappings_source_known',
    `INSERT INTO status_mappings (source, provider_status, status, created_by) VALUES ('dhl', 'x', 'delivered', 'a')`,
  ],
  [
    'status_mappings_folded',
    `INSERT INTO status_mappings (source, provider_status, status, created_by) VALUES ('plain', ' X', 'delivered', 'a')`,
  ],
  [
    'inbound_records_replayed',
    `INSERT INTO inbound_records (kind, method, body, replays) VALUES ('tracks', 'POST', '', 1)`,
  ],
  ['users_email_lower_case', `INSERT INTO users (email, name, role) VALUES ('A@example.com', 'A', 'owner')`],
  [
    'users_second_factor',
    `INSERT INTO users (email, name, role, totp_enabled_at) VALUES ('b@example.com', 'A', 'owner', now())`,
  ],
  [
    'user_sessions_method_known',
    `INSERT INTO user_sessions (id, user_id, method) VALUES (gen_random_uuid(), 1, 'magic')`,
  ],
  ['recovery_codes_hash_length', `INSERT INTO recovery_codes (user_id, hash) VALUES (1, 'short')`],
  [
    'personal_tokens_hash_length',
    `${INSERT_TOKEN} VALUES (1, 't', 'short', 'p', 'abcd', '{}', now() + interval '1 day')`,
  ],
  [
    'personal_tokens_last_four_length',
    `${INSERT_TOKEN} VALUES (1, 't', sha256('t'), 'p', 'abc', '{}', now() + interval '1 day')`,
  ],
  [
    'oauth_clients_secret_length',
    `INSERT INTO oauth_clients (id, name, redirect_uris, secret_hash, created_by) VALUES ('c', 'c', '{}', 'short', 'a')`,
  ],
  [
    'oauth_records_id_length',
    `INSERT INTO oauth_records (model, id_hash, payload) VALUES ('Session', 'short', '{}')`,
  ],
  ['api_keys_hash_length', `${INSERT_KEY} VALUES (2, 'k', 'short', 'bd', 'abcd', 'a', NULL, NULL)`],
  ['api_keys_last_four_length', `${INSERT_KEY} VALUES (2, 'k', sha256('l'), 'bd', 'abcde', 'a', NULL, NULL)`],
  ['api_keys_reply_tokens', `${INSERT_KEY} VALUES (2, 'k', sha256('l'), 'bd', 'abcd', 'a', -1, NULL)`],
  ['api_keys_rotated_from_another', `${INSERT_KEY} VALUES (2, 'k', sha256('l'), 'bd', 'abcd', 'a', NULL, 2)`],
  ['api_key_calls_status', `${INSERT_CALL} VALUES (1, now(), 'r', 'GET', '/', 0, 1)`],
  ['api_key_calls_duration', `${INSERT_CALL} VALUES (1, now(), 'r', 'GET', '/', 200, -1)`],
  [
    'idempotent_requests_hash_length',
    `${INSERT_IDEMPOTENT_REQUEST} VALUES (1, 'o', 'k', 'short', now(), NULL, NULL)`,
  ],
  [
    'idempotent_requests_answer',
    `${INSERT_IDEMPOTENT_REQUEST} VALUES (1, 'o', 'k', sha256('b'), now(), 200, NULL)`,
  ],
  [
    'reply_token_days_counts',
    `INSERT INTO reply_token_days (spender, day, reserved) VALUES ('trials', '2026-01-01', -1)`,
  ],
  [
    'sign_in_turns_tries',
    `INSERT INTO sign_in_turns (name, tries, next_at, expires_at) VALUES ('n', -1, now(), now())`,
  ],
  ['prompts_shop_or_name', 'INSERT INTO prompts (shop_id, shop_name) VALUES (NULL, NULL)'],
  ['prompt_versions_number', `${INSERT_PROMPT_VERSION} VALUES (1, 0, 'x', 'draft', NULL)`],
  ['prompt_versions_published_at', `${INSERT_PROMPT_VERSION} VALUES (1, 2, 'x', 'retired', NULL)`],
  ['prompt_versions_one_published', `${INSERT_PROMPT_VERSION} VALUES (1, 2, 'x', 'published', now())`],
  ['replies_outcome', `${INSERT_REPLY} VALUES ('s', '[]', 'm', 'answered', NULL, NULL, 1, '{}')`],
  ['replies_outcome', `${INSERT_REPLY} VALUES ('s', '[]', 'm', 'failed', NULL, NULL, 1, '{}')`],
  ['replies_counts', `${INSERT_REPLY} VALUES ('s', '[]', 'm', 'failed', NULL, 'timeout', -1, '{}')`],
  ['replies_requested_by', insertReplySql("'draft', NULL, 1, 1, NULL, NULL, NULL")],
  ['replies_requested_by', insertReplySql("'request', 'a@b', NULL, NULL, NULL, NULL, NULL")],
  ['replies_order', insertReplySql("'draft', 'a@b', NULL, NULL, NULL, NULL, NULL")],
  ['replies_order', insertReplySql("'trial', 'a@b', 1, NULL, NULL, NULL, NULL")],
  ['replies_sent', insertReplySql("'draft', 'a@b', 1, 1, 'Hi', NULL, 'a@b'")],
  ['replies_sent', insertReplySql("'trial', 'a@b', 1, 1, 'Hi', now(), 'a@b'")],
  ['replies_sent', insertReplySql("'handwritten', 'a@b', 1, 1, NULL, NULL, NULL")],
  ['replies_sent_text', insertReplySql("'draft', 'a@b', 1, 1, '', now(), 'a@b'")],
  ['replies_language', insertReplySql("'translation', 'a@b', 1, 1, NULL, NULL, NULL")],
  ['replies_extra_object', `${INSERT_REPLY} VALUES ('s', '[]', 'm', 'failed', NULL, 'timeout', 1, '[]')`],
];

it.each(REFUSED_STATEMENTS)('%s refuses %s', async (constraint, sql) => {
  // On a cluster only the message names the constraint, with the id of the shard.
  await expect(database.query(sql)).rejects.toThrow(new RegExp(`"${constraint}(?:_\\d+)?"`));
});
