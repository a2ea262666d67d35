import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { MESSAGE_LOADERS } from '../../../src/i18n/messages';

const appFolder = path.resolve('src', 'app');
const namespaces = new Set(Object.keys(MESSAGE_LOADERS));

/** The namespaces that `NamespaceMessages` loads for every page. */
const NAMESPACES_OF_EVERY_PAGE = ['common', 'status'];

interface Module {
  /** The project's modules that it imports, except those of the server. */
  imports: string[];
  /** The namespaces whose messages it uses in the browser. */
  usedNamespaces: string[];
  /** The namespaces that it loads for its children. */
  loadedNamespaces: string[];
}

const modules = new Map<string, Module>();

function resolveImport(importingFile: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return;
  const base = path.resolve(path.dirname(importingFile), specifier);
  return ['.ts', '.tsx', '/index.ts', '/index.tsx']
    .map((ending) => base + ending)
    .find((file) => existsSync(file));
}

function literalsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  const literals: string[] = [];
  ts.forEachChild(node, (child) => {
    literals.push(...literalsIn(child));
  });
  return literals;
}

function moduleOf(file: string): Module {
  const cachedModule = modules.get(file);
  if (cachedModule) return cachedModule;
  const module: Module = { imports: [], usedNamespaces: [], loadedNamespaces: [] };
  modules.set(file, module);
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const addImport = (specifier: ts.Node | undefined) => {
    const importedFile =
      specifier && ts.isStringLiteral(specifier) ? resolveImport(file, specifier.text) : undefined;
    if (importedFile && !importedFile.includes(`${path.sep}server${path.sep}`))
      module.imports.push(importedFile);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) addImport(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) addImport(node.moduleSpecifier);
    if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) addImport(node.arguments[0]);
      const callee = node.expression.getText(source);
      if (callee === 'useTranslations') module.usedNamespaces.push(...node.arguments.flatMap(literalsIn));
      if (callee.startsWith('defineBackOfficePage')) {
        const options = node.arguments[0]!;
        if (ts.isObjectLiteralExpression(options))
          for (const property of options.properties)
            if (/^(?:namespace|otherNamespaces)$/.test(property.name?.getText(source) ?? ''))
              module.loadedNamespaces.push(...literalsIn(property));
      }
    }
    if (ts.isJsxAttribute(node) && node.name.getText(source) === 'namespaces')
      module.loadedNamespaces.push(...literalsIn(node).filter((text) => namespaces.has(text)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return module;
}

/** Returns every namespace that a page's modules use, with the first module that uses it. */
function findUsedNamespaces(
  file: string,
  moduleByNamespace = new Map<string, string>(),
  visitedFiles = new Set<string>(),
): Map<string, string> {
  if (visitedFiles.has(file)) return moduleByNamespace;
  visitedFiles.add(file);
  const { imports, usedNamespaces } = moduleOf(file);
  for (const namespace of usedNamespaces)
    if (!moduleByNamespace.has(namespace)) moduleByNamespace.set(namespace, path.relative(appFolder, file));
  for (const importedFile of imports) findUsedNamespaces(importedFile, moduleByNamespace, visitedFiles);
  return moduleByNamespace;
}

const pageAndLayoutFiles = readdirSync(appFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:page|layout)\.tsx$/.test(path.basename(name)))
  .map((name) => path.join(appFolder, name));

/** Returns the namespaces loaded for a page or layout: its own list or, if it has none, that of the enclosing layout. */
function loadedNamespacesOf(file: string): string[] {
  const { imports, loadedNamespaces } = moduleOf(file);
  // A helper such as defineBackOfficePage loads namespaces for every page that uses it.
  const helperFiles = imports.filter((importedFile) => path.dirname(importedFile) === appFolder);
  const ownNamespaces = [
    ...loadedNamespaces,
    ...helperFiles.flatMap((helperFile) => moduleOf(helperFile).loadedNamespaces),
  ];
  if (ownNamespaces.length > 0) return ownNamespaces;
  for (
    let folder = path.dirname(path.dirname(file));
    folder.startsWith(appFolder);
    folder = path.dirname(folder)
  ) {
    const layoutFile = path.join(folder, 'layout.tsx');
    if (existsSync(layoutFile)) return loadedNamespacesOf(layoutFile);
  }
  return [];
}

it.each(pageAndLayoutFiles.map((file) => [path.relative(appFolder, file), file] as const))(
  '%s loads the texts of every component that it renders',
  (_, file) => {
    const loadedNamespaces = new Set([...NAMESPACES_OF_EVERY_PAGE, ...loadedNamespacesOf(file)]);
    expect([...findUsedNamespaces(file)].filter(([namespace]) => !loadedNamespaces.has(namespace))).toEqual(
      [],
    );
  },
);
