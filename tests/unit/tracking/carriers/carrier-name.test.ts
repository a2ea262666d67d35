import { describe, expect, it } from 'vitest';
import { carrierName } from '../../../../src/server/tracking/carriers/carrier-name';

describe('the carrier code', () => {
  it.each([
    ['yanwen', 'Yanwen'],
    ['YANWEN', 'Yanwen'],
    ['royal-mail', 'Royal Mail'],
    ['Royal Mail', 'Royal Mail'],
    ['royal_mail', 'Royal Mail'],
    ['usps', 'USPS'],
    ['ups', 'UPS'],
    ['dhl', 'DHL'],
    ['fedex', 'FedEx'],
    ['4px', '4PX'],
    ['yunexpress', 'YunExpress'],
    ['cainiao', 'Cainiao'],
    ['Brick Haulers', 'Brick Haulers'],
    ['constructor', 'constructor'],
  ])('%j has the name %j', (code, name) => {
    expect(carrierName(code)).toBe(name);
  });

  it.each([['17track'], ['17TRACK'], ['190012'], ['燕文物流'], ['null'], ['x'.repeat(41)], [''], [null]])(
    '%j names no carrier',
    (code) => {
      expect(carrierName(code)).toBeNull();
    },
  );
});
