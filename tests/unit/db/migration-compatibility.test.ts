import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLastRelease } from '../../support/service/last-release';

const FOLDER = 'prisma/migrations';

/** Match changes that the previous version cannot handle: it would miss something, or its writes would be refused. */
const BREAKING_CHANGE_PATTERNS = [
  /\bDROP\s+(?:TABLE|COLUMN|TYPE|VIEW|FUNCTION|SCHEMA|DEFAULT|CONSTRAINT|INDEX)\b/i,
  /\bRENAME\b/i,
  /\bALTER\s+COLUMN\b[^,;]*\bTYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
  /\bADD\s+CONSTRAINT\b/i,
  /\bCREATE\s+UNIQUE\s+INDEX\b/i,
];

/** Matches the marker of a breaking statement whose object neither the named version nor any later one uses. */
const CONTRACT_MARKER_PATTERN = /^-- contract: unused since (\d+)\.(\d+)\.(\d+)$/m;

const isReleased = (version: number[], lastRelease: number[]): boolean => {
  const differingIndex = version.findIndex((part, index) => part !== lastRelease[index]);
  return differingIndex === -1 || version[differingIndex]! < lastRelease[differingIndex]!;
};

/** Removes what is in parentheses: the commas in `DECIMAL(16,4)` do not separate clauses. */
function withoutParentheses(code: string): string {
  const remainingCode = code.replace(/\([^()]*\)/g, '');
  return remainingCode === code ? code : withoutParentheses(remainingCode);
}

/**
 * Returns the statements that would break the last release: changes to tables of earlier migrations without a marker, or with one
 * that names a version that is not released yet.
 */
function findBreakingStatements(sql: string, lastRelease: string): string[] {
  // A table that this migration creates is not in use yet.
  const newTables = new Set([...sql.matchAll(/\bCREATE TABLE "(\w+)"/gi)].map(([, table]) => table));
  return sql
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => {
      const code = withoutParentheses(statement.replace(/^--.*$/gm, ''));
      const table = /\b(?:ALTER TABLE|ON)\s+"(\w+)"/i.exec(code)?.[1];
      if (newTables.has(table) || !BREAKING_CHANGE_PATTERNS.some((pattern) => pattern.test(code)))
        return false;
      const [, ...unusedSince] = CONTRACT_MARKER_PATTERN.exec(statement) ?? [];
      return (
        unusedSince.length === 0 || !isReleased(unusedSince.map(Number), lastRelease.split('.').map(Number))
      );
    });
}

describe('a migration after the first', () => {
  it('keeps everything that the previous version needs', async () => {
    const { version } = await readLastRelease();
    const [, ...laterMigrations] = readdirSync(FOLDER)
      .filter((name) => /^\d/.test(name))
      .sort();
    const foundStatements = laterMigrations.flatMap((name) =>
      findBreakingStatements(readFileSync(path.join(FOLDER, name, 'migration.sql'), 'utf8'), version),
    );
    expect(
      foundStatements,
      'The last release cannot handle these statements; docs/decisions/0006-migrations.md says what to do instead',
    ).toEqual([]);
  });

  it.each([
    'ALTER TABLE "orders" DROP COLUMN "old"',
    'DROP TABLE "orders"',
    'ALTER TABLE "orders" RENAME COLUMN "old" TO "new"',
    'ALTER TABLE "orders" ALTER COLUMN "old" SET DATA TYPE TEXT',
    'ALTER TABLE "orders" ALTER COLUMN "old" SET NOT NULL',
    'ALTER TABLE "orders" ADD COLUMN "first" INTEGER DEFAULT 1, ADD COLUMN "new" TEXT NOT NULL',
    'ALTER TABLE "orders" ADD COLUMN "new" DECIMAL(16,4) NOT NULL',
    'ALTER TABLE "orders" ADD CONSTRAINT "positive" CHECK ("old" > 0)',
    'CREATE UNIQUE INDEX "one" ON "orders"("old")',
    'ALTER TABLE "orders" DROP CONSTRAINT "positive"',
    'DROP INDEX "one"',
    '-- contract: unused since 0.6.0\nDROP TABLE "orders"',
  ])('may not have %s', (statement) => {
    expect(findBreakingStatements(`${statement};`, '0.5.0')).toEqual([statement]);
  });

  it.each([
    'ALTER TABLE "orders" ADD COLUMN "new" TEXT',
    'ALTER TABLE "orders" ADD COLUMN "new" TEXT NOT NULL DEFAULT \'\'',
    'ALTER TABLE "orders" ADD COLUMN "new" DECIMAL(16,4) NOT NULL DEFAULT round(1.5, (1))',
    'CREATE TABLE "new" ("id" INTEGER NOT NULL); ALTER TABLE "new" ADD CONSTRAINT "a" CHECK ("id" > 0)',
    'CREATE TABLE "new" ("id" INTEGER NOT NULL); CREATE UNIQUE INDEX "one" ON "new"("id")',
    'CREATE INDEX "some" ON "orders"("old")',
    '-- contract: unused since 0.4.2\nDROP TABLE "orders"',
    '-- contract: unused since 0.5.0\nALTER TABLE "orders" DROP COLUMN "old"',
  ])('may have %s', (statement) => {
    expect(findBreakingStatements(`${statement};`, '0.5.0')).toEqual([]);
  });
});
