import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTranslator } from 'next-intl';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../../src/i18n/locale';
import { MESSAGE_LOADERS } from '../../../src/i18n/messages';
import { REASONS } from '../../../src/server/core/errors/reasons';

const root = path.resolve();
/** The languages that the English messages are translated to. */
const OTHER_LOCALES = LOCALES.filter((locale) => locale !== 'en');
const namespaces = Object.keys(MESSAGE_LOADERS);

interface Tree {
  readonly [key: string]: string | Tree;
}

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Returns whether these messages are the English reasons, which come from the service's own table. */
const isReasonTable = (locale: string, namespace: string) => locale === 'en' && namespace === 'reasons';

/** Returns the paths of a language's message files, relative to its folder. */
const messageFilesOf = (locale: string) =>
  readdirSync(path.join(root, 'messages', locale), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();

function treeOf(locale: string, namespace: string): Tree {
  if (isReasonTable(locale, namespace)) return REASONS;
  const file = messageFilesOf(locale).find((name) => path.basename(name, '.json') === namespace);
  return JSON.parse(readFileSync(path.join(root, 'messages', locale, file!), 'utf8'));
}

const messagesOf = (locale: string, namespace: string) => new Map(flatten(treeOf(locale, namespace)));

/** Returns the placeholders and tags of a message. Words and plural forms may differ by language. */
function placeholdersOf(message: string): string[] {
  const valuePattern =
    /(?<!(?:=\d+|zero|one|two|few|many|other)\s*)\{(\w+)\s*(?:\}|,\s*(plural|select|selectordinal|number|date|time)\b)/g;
  const values = [...message.matchAll(valuePattern)].map(([, name, kind]) =>
    kind ? `${name}:${kind}` : name!,
  );
  const tags = [...message.matchAll(/<(\w+)>/g)].map(([, name]) => `<${name}>`);
  return [...new Set([...values, ...tags])].sort();
}

/** The parsed source files that may use messages. */
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
  .map((name) => {
    const file = path.join(root, 'src', name);
    return ts.createSourceFile(
      name,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    );
  })
  .filter((source) => /Translations|messageKeys|ownKeys/.test(source.text));

function calledName(call: ts.CallExpression): string {
  return ts.isIdentifier(call.expression) ? call.expression.text : '';
}

function unwrap(node: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
    ? unwrap(node.expression)
    : node;
}

function visitNodes(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitNodes(child, visit));
}

/** Returns the initial value of the variable with this name in a file, without `as` and `satisfies`. */
function initializerOf(source: ts.SourceFile, name: ts.Expression | undefined): ts.Expression | undefined {
  let initializer: ts.Expression | undefined;
  visitNodes(source, (node) => {
    if (!ts.isVariableDeclaration(node) || !name || node.name.getText() !== name.getText()) return;
    initializer = node.initializer;
    while (initializer && (ts.isSatisfiesExpression(initializer) || ts.isAsExpression(initializer)))
      initializer = initializer.expression;
  });
  return initializer;
}

/** The namespaces and keys of the tables created by messageKeys or ownKeys, by table name and namespace. */
const tables = new Map<string, { namespace: string; keys: string[] }>();
for (const source of sources) {
  visitNodes(source, (node) => {
    if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isIdentifier(node.name)) return;
    const call = unwrap(node.initializer);
    if (!ts.isCallExpression(call)) return;
    const isOwn = calledName(call) === 'ownKeys';
    if (!isOwn && calledName(call) !== 'messageKeys') return;
    const [namespace, argument] = call.arguments;
    const table = isOwn ? initializerOf(source, argument) : argument;
    if (!namespace || !ts.isStringLiteral(namespace) || !table || !ts.isObjectLiteralExpression(table))
      throw new Error(`${source.fileName}: messageKeys needs a literal namespace and table`);
    const keys = table.properties.map((property) => {
      if (isOwn && property.name && ts.isIdentifier(property.name)) return property.name.text;
      if (ts.isPropertyAssignment(property) && ts.isStringLiteral(property.initializer))
        return property.initializer.text;
      throw new Error(`${source.fileName}: a table of messageKeys may contain only literal keys`);
    });
    // Tables with the same name and namespace in two files are merged, because only the existence and use of their keys matter.
    const earlierKeys = tables.get(`${node.name.text} ${namespace.text}`)?.keys ?? [];
    tables.set(`${node.name.text} ${namespace.text}`, {
      namespace: namespace.text,
      keys: [...earlierKeys, ...keys],
    });
  });
}
const tableNames = new Set([...tables.keys()].map((name) => name.split(' ')[0]));

const usedKeysByNamespace = new Map(namespaces.map((namespace) => [namespace, new Set<string>()]));
const unclearKeys: string[] = [];
for (const { namespace, keys } of tables.values())
  for (const key of keys) usedKeysByNamespace.get(namespace)?.add(key);

/** Records the keys of an argument that is a literal or a choice between literals. Reports others, except entries of tables. */
function recordKeys(namespace: string, argument: ts.Expression, file: string): void {
  const key = unwrap(argument);
  if (ts.isStringLiteral(key)) {
    usedKeysByNamespace.get(namespace)?.add(key.text);
  } else if (ts.isConditionalExpression(key)) {
    recordKeys(namespace, key.whenTrue, file);
    recordKeys(namespace, key.whenFalse, file);
  } else if (
    !(
      (ts.isElementAccessExpression(key) || ts.isPropertyAccessExpression(key)) &&
      ts.isIdentifier(key.expression) &&
      tableNames.has(key.expression.text)
    )
  ) {
    unclearKeys.push(`${file}: ${key.getText()}`);
  }
}

/** Records the keys that a node and its descendants use. `translators` has each known translator's namespace, by variable name. */
function recordUsedKeys(node: ts.Node, translators: Map<string, string>, file: string): void {
  let scope = translators;
  if (ts.isBlock(node) || ts.isSourceFile(node)) scope = new Map(translators);
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name)) {
    const call = unwrap(node.initializer);
    if (ts.isCallExpression(call) && /^(use|get)Translations$/.test(calledName(call))) {
      const [namespace] = call.arguments;
      if (namespace && ts.isStringLiteral(namespace)) scope.set(node.name.text, namespace.text);
      else unclearKeys.push(`${file}: ${call.getText()}`);
    }
  }
  if (ts.isCallExpression(node)) {
    const callee = ts.isPropertyAccessExpression(node.expression)
      ? node.expression.expression
      : node.expression;
    const namespace = ts.isIdentifier(callee) ? scope.get(callee.text) : undefined;
    if (namespace && node.arguments[0]) recordKeys(namespace, node.arguments[0], file);
  }
  ts.forEachChild(node, (child) => recordUsedKeys(child, scope, file));
}
for (const source of sources) recordUsedKeys(source, new Map(), source.fileName);

it('every namespace is declared in src/i18n/messages.ts', () => {
  for (const locale of LOCALES)
    expect(
      messageFilesOf(locale)
        .map((file) => path.basename(file, '.json'))
        .sort(),
    ).toEqual(namespaces.filter((namespace) => !isReasonTable(locale, namespace)).sort());
});

it('a namespace has its file in the same folder in every language', () => {
  for (const locale of OTHER_LOCALES)
    expect(
      messageFilesOf(locale).filter((file) => file !== 'reasons.json'),
      `the files in messages/${locale}`,
    ).toEqual(messageFilesOf('en'));
});

it('every key is a literal, or an entry of a table created by messageKeys or ownKeys', () => {
  expect(unclearKeys).toEqual([]);
});

describe.each(namespaces)('the messages of %s', (namespace) => {
  const english = messagesOf('en', namespace);

  it.each(OTHER_LOCALES)('have the same keys and placeholders in %s as in English', (locale) => {
    const translated = messagesOf(locale, namespace);
    expect(
      {
        missing: [...english.keys()].filter((key) => !translated.has(key)),
        unknown: [...translated.keys()].filter((key) => !english.has(key)),
      },
      `Add the missing keys to ${namespace}.json in messages/${locale}, and remove those that English does not have.`,
    ).toEqual({ missing: [], unknown: [] });
    for (const [key, message] of english)
      expect(placeholdersOf(translated.get(key)!), key).toEqual(placeholdersOf(message));
  });

  it.each(LOCALES)('are not empty in %s, and can be formatted', (locale) => {
    const messages = treeOf(locale, namespace);
    const fail = (error: Error) => {
      throw error;
    };
    const t = createTranslator({ locale, messages, onError: fail, timeZone: 'UTC' }) as unknown as {
      rich(key: string, values: Record<string, unknown>): unknown;
    };
    for (const [key, message] of messagesOf(locale, namespace)) {
      const names = placeholdersOf(message).map((name) => name.split(':')[0]!.replace(/[<>]/g, ''));
      const values = names.map((name) => [name, message.includes(`<${name}>`) ? () => name : 2]);
      expect(String(t.rich(key, Object.fromEntries(values))).trim(), key).not.toBe('');
    }
  });

  // reason-text.test.ts checks that every reason is used.
  it.skipIf(namespace === 'reasons')('are exactly those that the pages use', () => {
    const usedKeys = usedKeysByNamespace.get(namespace)!;
    expect(
      {
        unused: [...english.keys()].filter((key) => !usedKeys.has(key)),
        missing: [...usedKeys].filter((key) => !english.has(key)),
      },
      `Remove the unused keys of ${namespace} from every language, and add the missing ones to every language.`,
    ).toEqual({ unused: [], missing: [] });
  });
});
