import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER_PATTERN = '(?:src|tests|scripts|docs|prisma|bench|messages|deploy|\\.ci|\\.github)';

/** A path from the repository's root, as cited in comments and documents. */
const ROOT_PATH_PATTERN = new RegExp(
  `(?<![\\w./@:-])${FOLDER_PATTERN}/(?:[\\w./-]|\\([\\w-]+\\)|\\[[\\w-]+\\])*?\\.(?:tsx?|mjs|cjs|js|json|md|sql|css|prisma|png|csv)(?![\\w/])`,
  'g',
);

/** A document cited by its name alone, such as `orders.md`. */
const DOCUMENT_NAME_PATTERN = /(?<![\w./-])[a-zA-Z][\w-]*\.md(?![\w/])/g;

/** A line of a comment. */
const COMMENT_LINE_PATTERN = /(?:^|\s)(?:\/{2,3}|\/?\*|--)\s.*$/gm;

/** A source file that a comment names, such as `match.ts` or `text/fold.ts`. */
const SOURCE_FILE_PATTERN =
  /(?<![\w.*-])(?:[a-z][\w-]*\/)*([a-z][a-z0-9.-]*\.(?:tsx?|mjs|sql))(?![\w.])(?!\/)/g;

/** Names that a document says are in a file: "`one` and `two` (a remark) in `file.ts`". */
const NAMES_IN_FILE_PATTERN =
  /((?:`[A-Za-z_$][\w$]*`(?:, | and | or |, and )?)+)(?: \([^)]*\))?\s+(?:in|of)\s+`([\w./()[\]-]+\.(?:tsx?|mjs|sql|prisma))`/g;

/** A file or a folder that a document names without the beginning of its path, such as `merge.sql` or `core/errors`. */
const PARTIAL_PATH_PATTERN =
  /`([a-z][\w-]*(?:\/[a-z([][\w()[\]-]*)+\/?|(?:[\w()[\]-]+\/)*[a-z][\w.-]*\.(?:tsx?|mjs|json|sql|prisma))`/g;

/** A test that a document runs by its title: `tests/unit/core -t "a part of the title"`. */
const TEST_TITLE_PATTERN = /(tests\/\S+) -t "([^"]+)"/g;

/** A link to a file of the repository. */
const LINK_PATTERN = /\]\((?!https?:|#|\/|mailto:)([^)#\s]+)/g;

// Files that are committed or about to be. Files of other types are not read: what looks like a file name in them may not be one.
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:tsx?|mjs|cjs|js|md|ya?ml|sql|prisma)$/.test(file) && existsSync(file))
  .filter((file) => file !== 'tests/unit/api/cited-files.test.ts');

const documentNames = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    encoding: 'utf8',
  })
    .split('\n')
    .map((file) => path.basename(file)),
);

const allFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file));
const fileNames = new Set(allFiles.map((file) => path.basename(file)));

/** Paths of files that a build creates. They are not checked, because they are not committed. */
const BUILT_FILE_PATTERN = /^(?:src\/generated|dist)\//;

describe('documents and comments', () => {
  it('cite only paths from the repository root that exist', () => {
    const missingCitations = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(ROOT_PATH_PATTERN)]
        .map(([citedPath]) => citedPath)
        .filter((citedPath) => !BUILT_FILE_PATTERN.test(citedPath) && !existsSync(citedPath))
        .map((citedPath) => `${file}: ${citedPath}`),
    );
    expect(missingCitations).toEqual([]);
  });

  it('link only to files that exist', () => {
    const missingCitations = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(LINK_PATTERN)]
          .map(([, target]) => target!)
          .filter((target) => !existsSync(path.resolve(path.dirname(file), target)))
          .map((target) => `${file}: ${target}`),
      );
    expect(missingCitations).toEqual([]);
  });

  it('attribute a name only to a file that contains it', () => {
    const citations = files
      .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(NAMES_IN_FILE_PATTERN)].map((match) => ({ file, match })),
      );
    expect(citations.length).toBeGreaterThan(20);
    const missingCitations = citations.flatMap(({ file, match: [, names, target] }) => {
      // A file cited without its folder can be any file with that name.
      const texts = allFiles
        .filter((candidate) => candidate === target || candidate.endsWith(`/${target}`))
        .map((candidate) => readFileSync(candidate, 'utf8'));
      return [...names!.matchAll(/`([^`]+)`/g)]
        .filter(
          ([, name]) => !texts.some((text) => new RegExp(`\\b${name!.replaceAll('$', '\\$')}\\b`).test(text)),
        )
        .map(([, name]) => `${file}: ${name} in ${target}`);
    });
    expect(missingCitations).toEqual([]);
  });

  it('cite only files and folders that exist, even without the beginning of the path', () => {
    const missingCitations = files
      .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(PARTIAL_PATH_PATTERN)].map(([, citedPath]) => ({
          file,
          citedPath: citedPath!,
        })),
      )
      // A citation without an extension is taken for a path only if it begins with a folder of ours: `text/plain` does not.
      .filter(({ citedPath }) => {
        const [firstFolder] = citedPath.split('/');
        return citedPath.includes('.') || existsSync(firstFolder!) || existsSync(`src/server/${firstFolder}`);
      })
      .filter(({ citedPath }) => !BUILT_FILE_PATTERN.test(`${citedPath}/`))
      .filter(
        ({ citedPath }) =>
          !allFiles.some((existingFile) => `/${existingFile}/`.includes(`/${citedPath.replace(/\/$/, '')}/`)),
      )
      .map(({ file, citedPath }) => `${file}: ${citedPath}`);
    expect(missingCitations).toEqual([]);
  });

  it('cite only titles of existing tests', () => {
    const citations = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(TEST_TITLE_PATTERN)].map((match) => ({ file, match })),
      );
    expect(citations).not.toEqual([]);
    const missingCitations = citations
      .filter(
        ({ match: [, folder, title] }) =>
          !allFiles.some(
            (testFile) => testFile.startsWith(folder!) && readFileSync(testFile, 'utf8').includes(title!),
          ),
      )
      .map(({ file, match: [text] }) => `${file}: ${text}`);
    expect(missingCitations).toEqual([]);
  });

  it('name only documents that exist', () => {
    const missingCitations = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(DOCUMENT_NAME_PATTERN)]
        .map(([citedPath]) => citedPath)
        .filter((citedPath) => !documentNames.has(citedPath))
        .map((citedPath) => `${file}: ${citedPath}`),
    );
    expect(missingCitations).toEqual([]);
  });

  it('name only source files that exist', () => {
    const missingCitations = files
      .filter((file) => !/\.md$|^prisma\/migrations\//.test(file))
      .flatMap((file) =>
        (readFileSync(file, 'utf8').match(COMMENT_LINE_PATTERN) ?? [])
          .flatMap((line) => [...line.matchAll(SOURCE_FILE_PATTERN)])
          .map(([, name]) => name!)
          .filter((name) => !fileNames.has(name))
          .map((name) => `${file}: ${name}`),
      );
    expect(missingCitations).toEqual([]);
  });
});
