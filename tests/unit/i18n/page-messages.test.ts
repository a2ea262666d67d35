import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { MESSAGES } from '../../../src/i18n/messages';

const app = path.resolve('src', 'app');
const areas = new Set(Object.keys(MESSAGES));

/** The areas that `AreaMessages` loads for every page. */
const EVERYWHERE = ['common', 'status'];

/** A module, with the project's modules that it imports and the areas whose texts it uses in the browser. */
interface Module {
  imports: string[];
  uses: string[];
  /** The areas that it loads for its children. */
  loads: string[];
}

const modules = new Map<string, Module>();

function resolved(from: string, name: string): string | undefined {
  if (!name.startsWith('.')) return;
  const base = path.resolve(path.dirname(from), name);
  return ['.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => base + end).find((file) => existsSync(file));
}

function literalsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...literalsIn(child));
  });
  return found;
}

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const module: Module = { imports: [], uses: [], loads: [] };
  modules.set(file, module);
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const addImport = (name: ts.Node | undefined) => {
    const imported = name && ts.isStringLiteral(name) ? resolved(file, name.text) : undefined;
    if (imported && !imported.includes(`${path.sep}server${path.sep}`)) module.imports.push(imported);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) addImport(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) addImport(node.moduleSpecifier);
    if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) addImport(node.arguments[0]);
      const called = node.expression.getText(source);
      if (called === 'useTranslations') module.uses.push(...node.arguments.flatMap(literalsIn));
      if (called.startsWith('shellPage')) {
        const declared = node.arguments[0]!;
        if (ts.isObjectLiteralExpression(declared))
          for (const property of declared.properties)
            if (/^(?:area|otherAreas)$/.test(property.name?.getText(source) ?? ''))
              module.loads.push(...literalsIn(property));
      }
    }
    if (ts.isJsxAttribute(node) && node.name.getText(source) === 'areas')
      module.loads.push(...literalsIn(node).filter((text) => areas.has(text)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return module;
}

/** Returns every area that a page's modules use, with the first module that uses it. */
function usedAreas(
  file: string,
  seen = new Map<string, string>(),
  visited = new Set<string>(),
): Map<string, string> {
  if (visited.has(file)) return seen;
  visited.add(file);
  const { imports, uses } = moduleOf(file);
  for (const area of uses) if (!seen.has(area)) seen.set(area, path.relative(app, file));
  for (const next of imports) usedAreas(next, seen, visited);
  return seen;
}

const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:page|layout)\.tsx$/.test(path.basename(name)))
  .map((name) => path.join(app, name));

/** Returns the areas loaded for a page or layout: its own list, or if it has none, that of the enclosing layout. */
function loadedFor(file: string): string[] {
  const { imports, loads } = moduleOf(file);
  // shellPage loads its own areas in its own module.
  const helpers = imports.filter((module) => path.dirname(module) === app);
  const own = [...loads, ...helpers.flatMap((helper) => moduleOf(helper).loads)];
  if (own.length > 0) return own;
  for (let folder = path.dirname(path.dirname(file)); folder.startsWith(app); folder = path.dirname(folder)) {
    const layout = path.join(folder, 'layout.tsx');
    if (existsSync(layout)) return loadedFor(layout);
  }
  return [];
}

it.each(files.map((file) => [path.relative(app, file), file] as const))(
  '%s loads the texts of every component that it renders',
  (_name, file) => {
    const loaded = new Set([...EVERYWHERE, ...loadedFor(file)]);
    expect([...usedAreas(file)].filter(([area]) => !loaded.has(area))).toEqual([]);
  },
);
