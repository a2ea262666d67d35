/** A section of a version with its changes; the title is empty for changes before the first heading. */
interface ChangeLogSection {
  title: string;
  changes: string[];
}

/** A version in the change log; `date` is null until it is released. */
export interface ChangeLogEntry {
  version: string;
  date: string | null;
  sections: ChangeLogSection[];
}

const VERSION_LINE = /^## \[?(?<version>[^\s\]]+)\]?(?:\s+-\s+(?<date>\d{4}-\d{2}-\d{2}))?\s*$/;
const SECTION_LINE = /^### (?<title>.+?)\s*$/;
const CHANGE_LINE = /^[-*] (?<change>.+?)\s*$/;
const CONTINUATION_LINE = /^\s+(?<continuation>\S.*?)\s*$/;

/**
 * Parses CHANGELOG.md: `## version - YYYY-MM-DD`, `### heading`, and changes as list items, which may continue on indented
 * lines. Ignores other text, such as the introduction.
 */
export function parseChangeLog(markdown: string): ChangeLogEntry[] {
  const entries: ChangeLogEntry[] = [];
  let changes: string[] | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const versionGroups = VERSION_LINE.exec(line)?.groups;
    const entry = entries.at(-1);
    if (versionGroups) {
      entries.push({ version: versionGroups.version!, date: versionGroups.date ?? null, sections: [] });
      changes = null;
      continue;
    }
    if (!entry) continue;
    const title = SECTION_LINE.exec(line)?.groups?.title;
    const change = CHANGE_LINE.exec(line)?.groups?.change;
    const continuation = CONTINUATION_LINE.exec(line)?.groups?.continuation;
    if (title !== undefined || (change !== undefined && changes === null)) {
      changes = [];
      entry.sections.push({ title: title ?? '', changes });
    }
    if (change !== undefined) changes?.push(change);
    else if (continuation !== undefined && changes && changes.length > 0)
      changes.push(`${changes.pop()} ${continuation}`);
  }
  return entries;
}

/** Returns the anchor of a version's heading, such as `v0-1-0`. */
export function versionId(version: string): string {
  return `v${version.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
