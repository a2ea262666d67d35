import fc from 'fast-check';
import { expect, it } from 'vitest';
import { providerText } from '../../../../src/server/tracking/carriers/provider-report';

it('a text from a carrier’s report can be stored and has at most 2,000 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (value) => {
      const text = providerText(`${value}\ud801\u0000`);
      expect(text === null || (text.isWellFormed() && !text.includes('\u0000'))).toBe(true);
      expect((text ?? '').length).toBeLessThanOrEqual(2_000);
    }),
  );
});
