import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../i18n/locale';
import { messageKeys } from '../../i18n/message-keys';
import type { AuditField } from '../../server/audit/actions';
import type { RouterOutputs } from '../api/router-types';
import { useCountryName } from '../ui/value/country-names';
import { useAuditValueFormatter } from './audit-value';
import { AUDIT_FIELD_NAMES } from './names';
import { AUDIT_SENTENCES } from './sentences';

export type AuditEntry = RouterOutputs['audit']['list']['entries'][number];

/** The system actors that have a name of their own on pages. All others are shown as the system. */
const SYSTEM_ACTOR_NAMES = messageKeys('audit', {
  'first start': 'actors.firstStart',
  'currency of its orders': 'actors.ordersCurrency',
});

const FIELDS = Object.keys(AUDIT_FIELD_NAMES) as AuditField[];

/** Longer values are truncated in a sentence; the details show them in full. */
const MAX_VALUE_LENGTH = 80;

/** Returns the fields whose values differ, in the order in which they are stored; fields without a name are left out. */
export function findChangedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.filter(
    (name): name is AuditField =>
      name in AUDIT_FIELD_NAMES &&
      JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  );
}

/** Returns a function that names the actor of an entry. */
function useAuditActor(): (entry: Pick<AuditEntry, 'actor' | 'actor_kind' | 'actor_name'>) => string {
  const t = useTranslations('audit');
  return ({ actor, actor_kind: kind, actor_name: name }) => {
    if (kind === 'command') return t('actors.commandNamed', { name: actor.replace(/^command: /, '') });
    if (kind !== 'system') return name ?? actor;
    return actor in SYSTEM_ACTOR_NAMES
      ? t(SYSTEM_ACTOR_NAMES[actor as keyof typeof SYSTEM_ACTOR_NAMES])
      : t('actors.system');
  };
}

/**
 * Returns a function that describes an entry in one sentence: who did what to which record, and, if only one field
 * changed, its old and new value.
 */
export function useAuditSentence(): (entry: AuditEntry) => string {
  const t = useTranslations('audit');
  const tag = LANGUAGE_TAGS[useLocale()];
  const valueText = useAuditValueFormatter();
  const actorText = useAuditActor();
  const countryName = useCountryName();
  return (entry) => {
    const shortText = (field: AuditField, value: unknown) => {
      const text = valueText(field, value);
      return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
    };
    const { before, after, record_id: id } = entry;
    const recordName = entry.record_name ?? id;
    const fields = findChangedFields(entry);
    const [firstField] = fields;
    const values = FIELDS.map((field) => {
      const value = after?.[field] ?? before?.[field];
      if (typeof value === 'number') return [field, value];
      if (typeof value === 'boolean') return [field, value ? 'yes' : 'no'];
      return [field, shortText(field, value)];
    });
    return t(AUDIT_SENTENCES[entry.action], {
      ...Object.fromEntries(values),
      actor: actorText(entry),
      record: entry.record_type === 'country' ? countryName(id, recordName) : recordName,
      fields: new Intl.ListFormat(tag).format(fields.map((field) => t(AUDIT_FIELD_NAMES[field]))),
      fieldCount: fields.length,
      before: firstField ? shortText(firstField, before?.[firstField]) : '',
      after: firstField ? shortText(firstField, after?.[firstField]) : '',
    });
  };
}
