import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseChangeLog, versionId } from '../../../src/server/api/changelog';

describe('the change log', () => {
  it('begins with the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(parseChangeLog(readFileSync('CHANGELOG.md', 'utf8'))[0]!.version).toBe(version);
  });

  it('is parsed into versions, dates, sections and changes', () => {
    const text = [
      '# Change log',
      '',
      'Text before.',
      '',
      '## Unreleased',
      '',
      '- One, which',
      '  goes on.',
      '',
      '## [1.2.0-rc.1] - 2026-11-21',
      '### API',
      '',
      '- Two.',
      'Text between.',
      '* Three.',
      '',
      '### Service',
      '- Four.',
    ];
    const expectedEntries = [
      { version: 'Unreleased', date: null, sections: [{ title: '', changes: ['One, which goes on.'] }] },
      {
        version: '1.2.0-rc.1',
        date: '2026-11-21',
        sections: [
          { title: 'API', changes: ['Two.', 'Three.'] },
          { title: 'Service', changes: ['Four.'] },
        ],
      },
    ];
    expect(parseChangeLog(text.join('\n'))).toEqual(expectedEntries);
    expect(parseChangeLog(text.join('\r\n'))).toEqual(expectedEntries);
  });

  it('is empty without a version', () => {
    expect(parseChangeLog('')).toEqual([]);
    expect(parseChangeLog('# Change log\n\n- no change of any version\n')).toEqual([]);
  });

  it('of this project has a date and changes in every version, no Markdown but code, and unique heading ids', () => {
    const entries = parseChangeLog(readFileSync('CHANGELOG.md', 'utf8'));
    expect(entries.length).toBeGreaterThan(0);
    for (const { version, date, sections } of entries) {
      expect(date, version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(sections.length, version).toBeGreaterThan(0);
      for (const { changes } of sections) {
        expect(changes.length, version).toBeGreaterThan(0);
        // The page renders code, but would show other Markdown as it is written.
        for (const change of changes) expect(change.replace(/`[^`]*`/g, '')).not.toMatch(/\*\*|\]\(|__/);
      }
    }
    const ids = entries.map(({ version }) => versionId(version));
    expect(new Set(ids).size).toBe(ids.length);
    expect(versionId('0.1.0')).toBe('v0-1-0');
  });
});
