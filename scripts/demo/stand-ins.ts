import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../tests/support/stand-ins/carrier-stand-in';
import { startTextProviderStandIn } from '../../tests/support/stand-ins/text-provider-stand-in';
import { writeReply } from './conversations';
import type { Demo } from './seed';

/** A carrier and a text provider on this machine, with the real wire formats. */
export interface StandIns {
  /** The environment that points a service at them. */
  env: Record<string, string>;
  /** Tells the carrier about the demo's shipments. */
  loadShipments(demo: Demo): void;
  close(): Promise<void>;
}

function scriptCarrier(carrier: CarrierStandIn, { orders }: Demo): void {
  for (const { number, story, report } of orders.flatMap((order) => order.shipments)) {
    carrier.script(number, story.state === 'NotFound' ? { kind: 'unknown' } : { kind: 'known', report });
  }
}

export async function startStandIns(): Promise<StandIns> {
  const [carrier, provider] = await Promise.all([startCarrierStandIn(), startTextProviderStandIn()]);
  provider.script({ kind: 'written', write: writeReply });
  return {
    env: {
      CARRIER: '17track',
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      OPENAI_API_KEY: 'demo',
      OPENAI_BASE_URL: provider.url,
      OPENAI_MODEL: 'stand-in',
    },
    loadShipments: (demo) => scriptCarrier(carrier, demo),
    close: async () => {
      await Promise.all([carrier.close(), provider.close()]);
    },
  };
}
