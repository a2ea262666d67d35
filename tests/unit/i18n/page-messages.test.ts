import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { MESSAGE_LOADERS } from '../../../src/i18n/messages';

const appFolder = path.resolve('src', 'app');
const areas = new Set(Object.keys(MESSAGE_LOADERS));

/** The areas that `AreaMessages` loads for every page. */
const AREAS_OF_EVERY_PAGE = ['common', 'status'];

interface Module {
  /** The project's modules that it imports, except those of the server. */
  imports: string[];
  /** The areas whose messages it uses in the browser. */
  usedAreas: string[];
  /** The areas that it loads for its children. */
  loadedAreas: string[];
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
  const module: Module = { imports: [], usedAreas: [], loadedAreas: [] };
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
      if (callee === 'useTranslations') module.usedAreas.push(...node.arguments.flatMap(literalsIn));
      if (callee.startsWith('defineBackOfficePage')) {
        const options = node.arguments[0]!;
        if (ts.isObjectLiteralExpression(options))
          for (const property of options.properties)
            if (/^(?:area|otherAreas)$/.test(property.name?.getText(source) ?? ''))
              module.loadedAreas.push(...literalsIn(property));
      }
    }
    if (ts.isJsxAttribute(node) && node.name.getText(source) === 'areas')
      module.loadedAreas.push(...literalsIn(node).filter((text) => areas.has(text)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return module;
}

/** Returns every area that a page's modules use, with the first module that uses it. */
function findUsedAreas(
  file: string,
  moduleByArea = new Map<string, string>(),
  visitedFiles = new Set<string>(),
): Map<string, string> {
  if (visitedFiles.has(file)) return moduleByArea;
  visitedFiles.add(file);
  const { imports, usedAreas } = moduleOf(file);
  for (const area of usedAreas)
    if (!moduleByArea.has(area)) moduleByArea.set(area, path.relative(appFolder, file));
  for (const importedFile of imports) findUsedAreas(importedFile, moduleByArea, visitedFiles);
  return moduleByArea;
}

const pageAndLayoutFiles = readdirSync(appFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:page|layout)\.tsx$/.test(path.basename(name)))
  .map((name) => path.join(appFolder, name));

/** Returns the areas loaded for a page or layout: its own list or, if it has none, that of the enclosing layout. */
function loadedAreasOf(file: string): string[] {
  const { imports, loadedAreas } = moduleOf(file);
  // A helper such as defineBackOfficePage loads areas for every page that uses it.
  const helperFiles = imports.filter((importedFile) => path.dirname(importedFile) === appFolder);
  const ownAreas = [...loadedAreas, ...helperFiles.flatMap((helperFile) => moduleOf(helperFile).loadedAreas)];
  if (ownAreas.length > 0) return ownAreas;
  for (
    let folder = path.dirname(path.dirname(file));
    folder.startsWith(appFolder);
    folder = path.dirname(folder)
  ) {
    const layoutFile = path.join(folder, 'layout.tsx');
    if (existsSync(layoutFile)) return loadedAreasOf(layoutFile);
  }
  return [];
}

it.each(pageAndLayoutFiles.map((file) => [path.relative(appFolder, file), file] as const))(
  '%s loads the texts of every component that it renders',
  (_, file) => {
    const loadedAreas = new Set([...AREAS_OF_EVERY_PAGE, ...loadedAreasOf(file)]);
    expect([...findUsedAreas(file)].filter(([area]) => !loadedAreas.has(area))).toEqual([]);
  },
);
