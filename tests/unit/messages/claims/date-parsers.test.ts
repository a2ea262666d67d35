import { describe, expect, it } from 'vitest';
import { findDateWords } from '../../../../src/server/messages/claims/date-words';

const SEPARATORS = [
  ...Array.from({ length: 10 }, (_, index) => ' '.repeat(index + 1)),
  ...[
    '\t',
    '\t\t\t\t',
    '\n',
    '\n\n\n',
    '\r\n\r\n',
    '\u00a0',
    '\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0',
    ' \t\n \u00a0 ',
  ],
  ...[',', ', ', '  ,  ', '     ,     ', ' and ', '    and    ', ' ,  and   ', ' - ', ''],
];

/** Time spans and dates in each language, each alone and as numbers and units that a pattern may join in several ways. */
const PARTS = {
  English: [
    '1 day',
    '5     days',
    'in 1 day',
    'a couple  of days',
    'half  an hour',
    '1d',
    'next 2 weeks',
    'march 12',
    'the friday',
  ],
  German: ['1 Tag', '2     Wochen', 'in 1 Tag', 'vor 3 Tagen', '3. Mai', 'nächste Woche'],
  French: ['1 jour', '2     semaines', 'dans 1 jour', 'il y a 2 mois', 'les 3 jours', '3 mai lundi'],
  Spanish: ['1 día', '2     semanas', 'en 1 día', 'dentro de 2 meses', '3 de mayo lunes'],
  Chinese: ['1天', '2     周', '三月五日', '下周一', '二十天', '星期五'],
};

/** Returns the CPU time in milliseconds; a second measurement counts if the first is above `limitMs`, as other work may add to it. */
function measureCpuMs(text: string, limitMs: number): number {
  for (let attempt = 1; ; attempt++) {
    const startUsage = process.cpuUsage();
    findDateWords(text);
    const { user, system } = process.cpuUsage(startUsage);
    const cpuMs = (user + system) / 1000;
    if (cpuMs <= limitMs || attempt === 3) return cpuMs;
  }
}

describe('the time in which dates are found', () => {
  const cases = Object.entries(PARTS).flatMap(([language, parts]) => parts.map((part) => [language, part]));

  it.each(cases)(
    'grows with the length of the text, however its time spans are separated: %s, %j',
    (_, part) => {
      for (const separator of SEPARATORS) {
        let previousMs = 0;
        // One more word of each language, so that its parser runs whatever the part is.
        const suffix = ' day Tage jour día 天';
        for (let count = 4; count <= 32; count *= 2) {
          // Twice the text. Exponential work would take many times as long, and this ends before that takes hours.
          const limitMs = Math.max(previousMs, 10) * 8;
          previousMs = measureCpuMs(`${(part + separator).repeat(count)}${suffix}`, limitMs);
          expect(previousMs, `${count} times ${JSON.stringify(part + separator)}`).toBeLessThanOrEqual(
            limitMs,
          );
        }
      }
    },
  );
});

describe('white space between the words of a date', () => {
  const findKeys = (text: string) => findDateWords(text).claims.map(({ confirms }) => confirms);

  it.each([
    'It arrives next Friday.',
    'It arrives 1 month, 1 week and 2 days after that.',
    'It arrives on March third.',
    'Sie kommt nächsten Freitag.',
    'Elle arrive vendredi prochain.',
    'Llega el próximo viernes.',
  ])('does not change the date, however much there is: %s', (text) => {
    const keys = findKeys(text);
    expect(keys).toHaveLength(1);
    for (const whiteSpace of ['  ', '\n', '\t \u00a0', ' '.repeat(40)])
      expect(findKeys(text.replaceAll(' ', whiteSpace))).toEqual(keys);
  });

  it('stays in the value of a claim, which is as written, and the rest of the text keeps its positions', () => {
    const text = 'Hello!   It    arrives  by tomorrow   \n  or on  next \t  Friday   at the  latest.';
    const { claims, rest } = findDateWords(text);
    expect(claims.map(({ value }) => value)).toEqual(['tomorrow', 'on  next \t  Friday']);
    expect(rest).toBe(
      ['tomorrow', 'on  next \t  Friday'].reduce(
        (blanked, date) => blanked.replace(date, ' '.repeat(date.length)),
        text,
      ),
    );
  });
});
