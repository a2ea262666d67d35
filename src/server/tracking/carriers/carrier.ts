import { create17TrackClient } from './carrier-17track';
import { type CarrierGate, createCarrierGate } from './carrier-gate';
import type { Carrier } from './carrier-list';
import { createYanwenClient } from './carrier-yanwen';

/** The environment variables that choose and configure the carrier. */
export interface CarrierSettings {
  CARRIER: Carrier;
  TRACK17_KEY?: string | undefined;
  TRACK17_BASE_URL: string;
  TRACK17_REGISTER: 'true' | 'false';
  YANWEN_ACCOUNT?: string | undefined;
  YANWEN_BASE_URL: string;
  CARRIER_TIMEOUT_MS: number;
}

/** Creates the client of the configured carrier behind its gate. If the key or account is missing, every query fails with 503. */
export function openCarrier(settings: CarrierSettings): CarrierGate {
  const options = { timeoutMs: settings.CARRIER_TIMEOUT_MS };
  switch (settings.CARRIER) {
    case 'yanwen': {
      const { YANWEN_ACCOUNT: account, YANWEN_BASE_URL: baseUrl } = settings;
      if (!account) return createCarrierGate(null, options);
      return createCarrierGate((fetch) => createYanwenClient({ account, baseUrl, fetch }), options);
    }
    case '17track': {
      const { TRACK17_KEY: key, TRACK17_BASE_URL: baseUrl } = settings;
      if (!key) return createCarrierGate(null, options);
      const register = settings.TRACK17_REGISTER === 'true';
      return createCarrierGate((fetch) => create17TrackClient({ key, baseUrl, fetch, register }), options);
    }
  }
}
