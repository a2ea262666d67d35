/** A shipment event. `day` is the number of days since the sale. */
export interface StoryEvent {
  day: number;
  stage: string | null;
  subStatus: string;
  description: string;
  /** Where it happens: in the country of origin, in the destination country, or in the buyer's city. */
  at: 'origin' | 'border' | 'city';
}

/** The course of a shipment, or of an order without one (`unpaid`, `paid`, `cancelled`). */
export interface Story {
  /** 17TRACK's name for the shipment's status; if there is no shipment, the order's own status. */
  state: string;
  subStatus: string | null;
  steps: StoryEvent[];
  /** The age of the orders that it fits, in days: from `from` to below `to`. */
  from: number;
  to: number;
  weight: number;
}

function step(
  day: number,
  stage: string | null,
  subStatus: string,
  description: string,
  at: StoryEvent['at'],
): StoryEvent {
  return { day, stage, subStatus, description, at };
}

const JOURNEY: readonly StoryEvent[] = [
  step(0.4, 'InfoReceived', 'InfoReceived', 'Shipping information received', 'origin'),
  step(1.2, 'PickedUp', 'InTransit_PickedUp', 'Parcel picked up by the carrier', 'origin'),
  step(3.1, 'Departure', 'InTransit_Departure', 'Departed from the country of origin', 'origin'),
  step(6.8, 'Arrival', 'InTransit_Arrival', 'Arrived in the country of destination', 'border'),
  step(7.3, null, 'InTransit_CustomsProcessing', 'Presented to customs', 'border'),
  step(8.4, null, 'InTransit_CustomsReleased', 'Released by customs', 'border'),
  step(9.6, 'OutForDelivery', 'OutForDelivery_Other', 'Out for delivery', 'city'),
  step(9.9, 'Delivered', 'Delivered_Other', 'Delivered', 'city'),
];

/** Returns a story that consists of the first `stepCount` events of the journey, followed by `lastEvents`. */
function story(
  [from, to, weight]: [from: number, to: number, weight: number],
  subStatus: string,
  stepCount: number,
  ...lastEvents: StoryEvent[]
): Story {
  const state = subStatus.split('_')[0]!;
  return { state, subStatus, steps: [...JOURNEY.slice(0, stepCount), ...lastEvents], from, to, weight };
}

/** Returns a story that consists of the first `stepCount` events of the journey, followed by one event of its own. */
function storyWithEnding(
  window: [from: number, to: number, weight: number],
  subStatus: string,
  [stepCount, day, description]: [stepCount: number, day: number, description: string],
  at: StoryEvent['at'] = 'city',
  stage: string | null = null,
): Story {
  return story(window, subStatus, stepCount, step(day, stage, subStatus, description, at));
}

const withoutShipment = (state: string, from: number, to: number, weight: number): Story => {
  return { state, subStatus: null, steps: [], from, to, weight };
};

const RETURNING = step(14, 'Returning', 'Exception_Returning', 'Return to sender', 'city');

/** Every status, and the sub-statuses that sellers ask about. */
export const STORIES: readonly Story[] = [
  withoutShipment('unpaid', 0, 3, 6),
  withoutShipment('paid', 0, 4, 20),
  withoutShipment('cancelled', 1, 90, 4),
  story([1, 5, 10], 'NotFound_Other', 0),
  story([5, 30, 1], 'NotFound_InvalidCode', 0),
  story([1, 6, 14], 'InfoReceived', 1),
  story([2, 7, 30], 'InTransit_PickedUp', 2),
  story([4, 10, 40], 'InTransit_Departure', 3),
  story([8, 13, 30], 'InTransit_Arrival', 4),
  story([9, 15, 20], 'InTransit_CustomsProcessing', 5),
  story([10, 16, 16], 'InTransit_CustomsReleased', 6),
  storyWithEnding(
    [11, 24, 3],
    'InTransit_CustomsRequiringInformation',
    [5, 9, 'Customs asks for more information'],
    'border',
  ),
  storyWithEnding([11, 16, 10], 'InTransit_Other', [6, 9.2, 'At a sorting center']),
  storyWithEnding(
    [12, 20, 8],
    'AvailableForPickup_Other',
    [6, 10.2, 'Ready for pickup'],
    'city',
    'AvailableForPickup',
  ),
  story([11, 13, 30], 'OutForDelivery_Other', 7),
  storyWithEnding([12, 20, 4], 'DeliveryFailure_NoBody', [7, 9.9, 'Delivery attempted, nobody at home']),
  storyWithEnding([12, 24, 3], 'DeliveryFailure_InvalidAddress', [7, 9.9, 'Address incomplete']),
  storyWithEnding([12, 30, 2], 'DeliveryFailure_Rejected', [7, 9.9, 'Refused by the recipient']),
  storyWithEnding([12, 30, 4], 'Exception_Delayed', [4, 10, 'Delayed in transit'], 'border'),
  story([17, 50, 3], 'Exception_Returning', 7, RETURNING),
  story(
    [32, 90, 3],
    'Exception_Returned',
    7,
    RETURNING,
    step(27, 'Returned', 'Exception_Returned', 'Returned to the sender', 'origin'),
  ),
  storyWithEnding([14, 90, 2], 'Exception_Damage', [6, 10, 'Parcel damaged']),
  storyWithEnding([40, 90, 2], 'Exception_Lost', [4, 32, 'Parcel lost'], 'border'),
  storyWithEnding([12, 40, 2], 'Exception_Security', [4, 9, 'Held for a check'], 'border'),
  // Expiring does not change a known status, so only a shipment that was never scanned becomes `Expired`.
  story([40, 90, 4], 'Expired_Other', 0),
  story([12, 90, 160], 'Delivered_Other', 8),
];

/** Each story has at least this many orders. */
export const MIN_ORDERS_PER_STORY = 3;
