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
    ['17track', null],
    ['17TRACK', null],
    ['190012', null],
    ['燕文物流', null],
    ['null', null],
    ['x'.repeat(41), null],
    ['', null],
    [null, null],
  ])('%j has the name %j', (code, name) => {
    expect(carrierName(code)).toBe(name);
  });
});
