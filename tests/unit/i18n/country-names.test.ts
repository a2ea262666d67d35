import { expect, it } from 'vitest';
import { createCountryNamer } from '../../../src/i18n/country-names';

it.each([
  ['the name in the language', 'DE', 'Deutschland'],
  ['the name of a former country', 'AN', 'Niederländische Antillen'],
  ['the stored name of another former country', 'SU', 'Stored name'],
  ['the stored name if the language has no name for the code', 'QX', 'Stored name'],
])('createCountryNamer returns %s', (_, code, name) => {
  const nameOf = createCountryNamer('de', { AN: 'Niederländische Antillen', CS: 'Serbien und Montenegro' });
  expect(nameOf(code, 'Stored name')).toBe(name);
});
