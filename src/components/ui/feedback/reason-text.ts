import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { REASONS, type ReasonTemplate } from './reason-templates';

/** A sentence of the service, taken apart: which one it is, and what it was filled with. */
interface Reason {
  template: ReasonTemplate;
  values: Record<string, string | Reason>;
}

const TEMPLATES = Object.keys(REASONS) as ReasonTemplate[];

/** Says which file a reason is about; never looked for itself, as any words before a reason would fit. */
const NAMED: ReasonTemplate = '{name} {reason}';

const DIGITS = String.raw`-?\d+(?:\.\d+)?`;
const SIZE = String.raw`[\d.]+ [KM]iB`;

/** How the parts look that are not any text. */
const PARTS: Record<string, string> = {
  column: DIGITS,
  count: DIGITS,
  id: DIGITS,
  line: DIGITS,
  maximum: DIGITS,
  minimum: DIGITS,
  most: DIGITS,
  row: DIGITS,
  rows: DIGITS,
  size: SIZE,
  limit: SIZE,
  cells: '[A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*',
  path: '[^:]+',
};

function patternOf(template: ReasonTemplate): RegExp {
  const body = template
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 1
        ? `(?<${part}>${PARTS[part] ?? '.+'})`
        : part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
    )
    .join('');
  // What is wrong with a file follows its name, which may be any text, where the file has one.
  const begin = REASONS[template].startsWith('file.') ? '(?:(?<name>.+) )?' : '';
  return new RegExp(`^${begin}${body}$`, 's');
}

/** Made when a reason is first looked at: most pages show none. */
let patterns: (readonly [ReasonTemplate, RegExp])[] | undefined;

/** Finds the sentence that a reason is, or null where none of those that are known fits, or its inner one is not known. */
export function matchReason(message: string): Reason | null {
  patterns ??= TEMPLATES.filter((template) => template !== NAMED).map(
    (template) => [template, patternOf(template)] as const,
  );
  for (const [template, pattern] of patterns) {
    const match = pattern.exec(message);
    if (!match) continue;
    const { reason, ...values } = match.groups ?? {};
    if (reason !== undefined) {
      const inner = matchReason(reason);
      if (inner) return { template, values: { ...values, reason: inner } };
    } else if (REASONS[template].startsWith('file.')) {
      const { name, ...own } = values;
      const said: Reason = { template, values: own };
      return name === undefined ? said : { template: NAMED, values: { name, reason: said } };
    } else return { template, values };
  }
  return null;
}

/** Says a reason in the words of `say`, from the innermost outwards. */
export function sayReason(
  { template, values }: Reason,
  say: (template: ReasonTemplate, values: Record<string, string>) => string,
): string {
  const said = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'string' ? value : sayReason(value, say)] as const,
  );
  return say(template, Object.fromEntries(said));
}

/** Says in the reader's language why the service refused something or doubts it; a sentence that is not known stays as it is. */
export function useReasonText(): (message: string) => string {
  const t = useTranslations('reasons');
  return useCallback(
    (message) => {
      const reason = matchReason(message);
      return reason ? sayReason(reason, (template, values) => t(REASONS[template], values)) : message;
    },
    [t],
  );
}
