import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compile from 'icu-minify/compile';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** A compiled message: texts and nodes. A node is `[value]`, `[value, type, options or style]` or `[tag, ...content]`. */
type CompiledMessage = string | readonly unknown[];

/** Returns the names of the values that a compiled message shows, without its tags. */
function valueNamesIn(content: unknown): string[] {
  return Array.isArray(content) ? content.flatMap(valueNamesOfNode) : [];
}

function valueNamesOfNode(node: unknown): string[] {
  if (!Array.isArray(node)) return [];
  const [name, kind, options] = node as [string, unknown, unknown];
  if (node.length === 1) return [name];
  if (typeof kind !== 'number') return node.slice(1).flatMap(valueNamesOfNode);
  const optionValues = typeof options === 'object' && options !== null ? Object.values(options) : [];
  return [name, ...optionValues.flatMap(valueNamesIn)];
}

const messagesByNamespace = new Map<string, unknown>(
  readdirSync('messages/en', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => [
      path.basename(file, '.json'),
      JSON.parse(readFileSync(path.join('messages/en', file), 'utf8')),
    ]),
);

/** Returns the English message of a key such as `import.rejected.cell`, or undefined if there is none. */
function messageOf(key: string): string | undefined {
  const [namespace, ...names] = key.split('.');
  let node: unknown = messagesByNamespace.get(namespace!);
  for (const name of names) node = (node as Record<string, unknown> | undefined)?.[name];
  return typeof node === 'string' ? node : undefined;
}

interface TranslatorCall {
  key: string;
  valueNames: string[];
}

/** Returns a file's translator calls that have a known namespace, a literal key and named values only. */
function callsIn(file: string): TranslatorCall[] {
  const text = readFileSync(file, 'utf8');
  // Parsing takes long, and without this there is no translator.
  if (!text.includes('Translations(')) return [];
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  /** The namespaces of each translator, by its name. Components of a file may use the same name for different namespaces. */
  const namespacesByTranslator = new Map<string, Set<string>>();
  const calls: (TranslatorCall & { translator: string })[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const call = ts.isAwaitExpression(node.initializer) ? node.initializer.expression : node.initializer;
      const [namespace] = ts.isCallExpression(call) ? call.arguments : [];
      if (namespace && ts.isStringLiteral(namespace) && /Translations\(/.test(call.getText(source))) {
        const name = node.name.getText(source);
        namespacesByTranslator.set(
          name,
          new Set([...(namespacesByTranslator.get(name) ?? []), namespace.text]),
        );
      }
    }
    if (ts.isCallExpression(node)) {
      const [key, argument] = node.arguments;
      const areAllValuesNamed =
        !argument ||
        (ts.isObjectLiteralExpression(argument) &&
          !argument.properties.some((property) => ts.isSpreadAssignment(property)));
      if (key && ts.isStringLiteral(key) && areAllValuesNamed) {
        const translator = node.expression.getText(source).replace(/\.(?:rich|markup)$/, '');
        const valueNames =
          argument && ts.isObjectLiteralExpression(argument)
            ? argument.properties.map((property) => property.name!.getText(source))
            : [];
        calls.push({ translator, key: key.text, valueNames });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls.flatMap(({ translator, key, valueNames }) => {
    const [namespace, otherNamespace] = namespacesByTranslator.get(translator) ?? [];
    return namespace === undefined || otherNamespace !== undefined
      ? []
      : [{ key: `${namespace}.${key}`, valueNames }];
  });
}

it('every translator call with a literal key and named values passes all values that the message shows', () => {
  const files = ['src/components', 'src/app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  let checkedCount = 0;
  const missingValues = files.flatMap((file) =>
    callsIn(file).flatMap(({ key, valueNames }) => {
      const message = messageOf(key);
      if (message === undefined) return [];
      checkedCount++;
      const shownNames = new Set(valueNamesIn(compile(message) as CompiledMessage));
      const missingNames = [...shownNames].filter((name) => !valueNames.includes(name));
      return missingNames.length > 0 ? [`${file}: ${key} is missing ${missingNames.join(', ')}`] : [];
    }),
  );
  expect(missingValues).toEqual([]);
  expect(checkedCount).toBeGreaterThan(1_000);
});
