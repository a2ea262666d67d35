import { DAY_MS } from '../../src/server/core/days';
import { trackInfoOf } from '../../tests/support/stand-ins/carrier-reports';
import type { DemoRecipient } from './people';
import type { SeededRandom } from './random';
import type { Story, StoryEvent } from './stories';

const HOUR_MS = 3_600_000;

/** A shipment with its carrier's report. */
export interface DemoShipment {
  number: string;
  story: Story;
  /** When the carrier sends the report, in milliseconds since the Unix epoch. */
  reportedAt: number;
  /** 17TRACK's `track_info`. */
  report: Record<string, unknown>;
}

function placeOf({ region }: StoryEvent, { city, state, country_name: country }: DemoRecipient): string {
  if (region === 'origin') return 'Shenzhen, China';
  return region === 'border' ? country : `${city}, ${state}`;
}

/** Returns a tracking number in the Universal Postal Union's format, with a valid check digit. */
function createTrackingNumber(serial: number): string {
  const digits = String(serial).padStart(8, '0');
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, n) => total + weight * Number(digits[n]), 0);
  const difference = 11 - (sum % 11);
  return `LX${digits}${difference === 10 ? 0 : difference === 11 ? 5 : difference}CN`;
}

/** Returns a shipment that follows the story, for an order sold at `soldAt`, with the carrier's report as of `now`. */
export function createDemoShipment(
  options: {
    serial: number;
    story: Story;
    soldAt: number;
    now: number;
    recipient: DemoRecipient;
    carrier: string;
  },
  random: SeededRandom,
): DemoShipment {
  const { story, soldAt, now, recipient } = options;
  const pace = random.between(0.92, 1.08);
  const eventTimes = story.steps.map(({ day }) => soldAt + day * pace * DAY_MS);
  const lastEventAt = eventTimes.at(-1) ?? soldAt + DAY_MS;
  // If the last event is less than an hour old or in the future, all events are shifted back until it is an hour old.
  const shiftMs = Math.max(0, lastEventAt - (now - HOUR_MS));
  const events = story.steps.map((step, n) => {
    const time = new Date(Math.floor((eventTimes[n]! - shiftMs) / 60_000) * 60_000).toISOString();
    return {
      time_iso: time,
      time_utc: time,
      description: step.description,
      location: placeOf(step, recipient),
      stage: step.stage,
      sub_status: step.subStatus,
      address: { country: null, state: null, city: null, postal_code: null, coordinates: {} },
    };
  });
  const latestStatus = { status: story.state, sub_status: story.subStatus! };
  return {
    number: createTrackingNumber(options.serial),
    story,
    // Tracking expires only after weeks without an event.
    reportedAt: story.state === 'Expired' ? soldAt + 31 * DAY_MS : lastEventAt - shiftMs,
    report: trackInfoOf(latestStatus, events.reverse(), options.carrier),
  };
}
