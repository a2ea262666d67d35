/** Tables distributed over the servers by one column, so that rows with the same value are on the same server. */
export interface DistributedGroup {
  /** What the rows are distributed by, as named in messages. */
  by: string;
  column: string;
  /** The first table determines the number of shards; the others are colocated with it. */
  tables: readonly [string, ...string[]];
}

/** The tables that are distributed by `db distribute`. Within a group, foreign keys contain the column. */
export const DISTRIBUTED_GROUPS: readonly DistributedGroup[] = [
  {
    by: 'shop',
    column: 'shop_id',
    tables: [
      'orders',
      'order_items',
      'order_notes',
      'order_search',
      'order_days',
      'shipments',
      'queue_states',
      'imports',
      'import_issues',
      'import_changes',
      'import_drafts',
    ],
  },
  {
    by: 'tracking number',
    column: 'tracking_number',
    tables: ['tracking_numbers', 'tracking_events', 'tracking_number_shops', 'unmatched_numbers'],
  },
  {
    by: 'marketplace shop ID',
    column: 'shop_id',
    tables: ['shop_daily_statistics', 'product_daily_statistics', 'statistic_restatements'],
  },
];

/** Reference tables, copied to every server: the tables that distributed tables refer to or are joined with. */
export const CITUS_REFERENCE_TABLES: readonly string[] = [
  'shops',
  'shop_former_names',
  'countries',
  'country_aliases',
  'categories',
  'products',
  'users',
  'api_keys',
  'prompts',
  'prompt_versions',
  'replies',
  'statistic_imports',
  'status_mappings',
];

/** The tables that stay on the coordinator. Statements join them with distributed tables only through a subquery or a CTE. */
export const LOCAL_TABLES: readonly string[] = [
  'api_key_calls',
  'audit_log',
  'export_templates',
  'idempotent_requests',
  'inbound_records',
  'notification_channels',
  'notification_entries',
  'notifications',
  'oauth_clients',
  'oauth_records',
  'oauth_signing_keys',
  'personal_tokens',
  'pinned_views',
  'rate_limits',
  'recovery_codes',
  'reply_token_days',
  'saved_views',
  'sign_in_turns',
  'user_sessions',
];

/**
 * Foreign keys whose two sides may be on different servers. In their place, the locks that the service takes ensure that a new row
 * refers to one that exists, and `deleteExpiredRecords` (inbound/service.ts) detaches events from the records that it deletes.
 */
const CROSS_SERVER_FOREIGN_KEYS: readonly string[] = [
  'shipments_tracking_number_fkey',
  'tracking_events_inbound_record_id_fkey',
];

/**
 * Returns whether a foreign key can be kept. Those whose sides may be on different servers are dropped, because neither server
 * could check them. Those from local to reference tables are dropped, because they would make the local tables part of the
 * cluster, with its restrictions on statements; the rows they refer to, users and keys, are never deleted.
 */
export function canKeepForeignKey({ on, to, name }: { on: string; to: string; name: string }): boolean {
  return (
    !CROSS_SERVER_FOREIGN_KEYS.includes(name) &&
    !(LOCAL_TABLES.includes(on) && CITUS_REFERENCE_TABLES.includes(to))
  );
}
