import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDERS = '(?:src|tests|scripts|docs|prisma|bench|messages|deploy|\\.ci|\\.github)';

/** A path from the repository's root, as cited in comments and documents. */
const FROM_ROOT = new RegExp(
  `(?<![\\w./@:-])${FOLDERS}/(?:[\\w./-]|\\([\\w-]+\\)|\\[[\\w-]+\\])*?\\.(?:tsx?|mjs|cjs|js|json|md|sql|css|prisma|png|csv)(?![\\w/])`,
  'g',
);

/** A document cited by its name alone, such as `orders.md`. */
const DOCUMENT = /(?<![\w./-])[a-zA-Z][\w-]*\.md(?![\w/])/g;

/** A line of a comment. */
const COMMENT = /(?:^|\s)(?:\/{2,3}|\/?\*|--)\s.*$/gm;

/** A source file that a comment names, such as `match.ts` or `text/fold.ts`. */
const SOURCE = /(?<![\w.*-])(?:[a-z][\w-]*\/)*([a-z][a-z0-9.-]*\.(?:tsx?|mjs|sql))(?![\w.])(?!\/)/g;

/** Names that a document says are in a file: "`one` and `two` (a remark) in `file.ts`". */
const NAMED =
  /((?:`[A-Za-z_$][\w$]*`(?:, | and | or |, and )?)+)(?: \([^)]*\))?\s+(?:in|of)\s+`([\w./()[\]-]+\.(?:tsx?|mjs|sql|prisma))`/g;

/** A file or a folder that a document names without the beginning of its path, such as `merge.sql` or `core/errors`. */
const PARTIAL =
  /`([a-z][\w-]*(?:\/[a-z([][\w()[\]-]*)+\/?|(?:[\w()[\]-]+\/)*[a-z][\w.-]*\.(?:tsx?|mjs|json|sql|prisma))`/g;

/** A test that a document runs by its title: `tests/unit/core -t "a part of the title"`. */
const TITLE = /(tests\/\S+) -t "([^"]+)"/g;

/** A link to a file of the repository. */
const LINK = /\]\((?!https?:|#|\/|mailto:)([^)#\s]+)/g;

// Files that are committed or about to be. Other types are not read, because what looks like a file name there may not be one.
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
const BUILT = /^(?:src\/generated|dist)\//;

describe('documents and comments', () => {
  it('cite only paths from the repository root that exist', () => {
    const missing = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(FROM_ROOT)]
        .map(([cited]) => cited)
        .filter((cited) => !BUILT.test(cited) && !existsSync(cited))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('link only to files that exist', () => {
    const missing = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(LINK)]
          .map(([, target]) => target!)
          .filter((target) => !existsSync(path.resolve(path.dirname(file), target)))
          .map((target) => `${file}: ${target}`),
      );
    expect(missing).toEqual([]);
  });

  it('attribute a name only to a file that contains it', () => {
    const cited = files
      .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(NAMED)].map((match) => ({ file, match })));
    expect(cited.length).toBeGreaterThan(20);
    const missing = cited.flatMap(({ file, match: [, names, target] }) => {
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
    expect(missing).toEqual([]);
  });

  it('cite only files and folders that exist, even without the beginning of the path', () => {
    const missing = files
      .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(PARTIAL)].map(([, cited]) => ({ file, cited: cited! })),
      )
      // Without an extension, a citation is a folder of ours only if it begins with one: `text/plain` is not.
      .filter(({ cited }) => {
        const [first] = cited.split('/');
        return cited.includes('.') || existsSync(first!) || existsSync(`src/server/${first}`);
      })
      .filter(({ cited }) => !BUILT.test(`${cited}/`))
      .filter(
        ({ cited }) =>
          !allFiles.some((existing) => `/${existing}/`.includes(`/${cited.replace(/\/$/, '')}/`)),
      )
      .map(({ file, cited }) => `${file}: ${cited}`);
    expect(missing).toEqual([]);
  });

  it('run only tests whose titles exist', () => {
    const cited = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(TITLE)].map((match) => ({ file, match })));
    expect(cited).not.toEqual([]);
    const missing = cited
      .filter(
        ({ match: [, folder, title] }) =>
          !allFiles.some((test) => test.startsWith(folder!) && readFileSync(test, 'utf8').includes(title!)),
      )
      .map(({ file, match: [text] }) => `${file}: ${text}`);
    expect(missing).toEqual([]);
  });

  it('name only documents that exist', () => {
    const missing = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(DOCUMENT)]
        .map(([cited]) => cited)
        .filter((cited) => !documentNames.has(cited))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('name only source files that exist', () => {
    const missing = files
      .filter((file) => !/\.md$|^prisma\/migrations\//.test(file))
      .flatMap((file) =>
        (readFileSync(file, 'utf8').match(COMMENT) ?? [])
          .flatMap((line) => [...line.matchAll(SOURCE)])
          .map(([, name]) => name!)
          .filter((name) => !fileNames.has(name))
          .map((name) => `${file}: ${name}`),
      );
    expect(missing).toEqual([]);
  });
});
