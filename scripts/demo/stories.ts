/** A shipment event. `day` is the number of days since the sale. */
export interface StoryEvent {
  day: number;
  stage: string | null;
  subStatus: string;
  description: string;
  /** Where it happens: in the country of origin, in the destination country, or in the buyer's city. */
  region: 'origin' | 'border' | 'city';
}

/** The course of a shipment, or of an order without one (`unpaid`, `paid`, `cancelled`). */
export interface Story {
  /** 17TRACK's name for the shipment's status; if there is no shipment, the order's own status. */
  state: string;
  subStatus: string | null;
  steps: StoryEvent[];
  /** The age in days of the orders that the story fits: at least `minAge` and less than `maxAge`. */
  minAge: number;
  maxAge: number;
  weight: number;
}

function createStep(
  day: number,
  stage: string | null,
  subStatus: string,
  description: string,
  region: StoryEvent['region'],
): StoryEvent {
  return { day, stage, subStatus, description, region };
}

const JOURNEY: readonly StoryEvent[] = [
  createStep(0.4, 'InfoReceived', 'InfoReceived', 'Shipping information received', 'origin'),
  createStep(1.2, 'PickedUp', 'InTransit_PickedUp', 'Parcel picked up by the carrier', 'origin'),
  createStep(3.1, 'Departure', 'InTransit_Departure', 'Departed from the country of origin', 'origin'),
  createStep(6.8, 'Arrival', 'InTransit_Arrival', 'Arrived in the country of destination', 'border'),
  createStep(7.3, null, 'InTransit_CustomsProcessing', 'Presented to customs', 'border'),
  createStep(8.4, null, 'InTransit_CustomsReleased', 'Released by customs', 'border'),
  createStep(9.6, 'OutForDelivery', 'OutForDelivery_Other', 'Out for delivery', 'city'),
  createStep(9.9, 'Delivered', 'Delivered_Other', 'Delivered', 'city'),
];

/** Returns a story that consists of the first `stepCount` events of the journey, followed by `lastEvents`. */
function createStory(
  [minAge, maxAge, weight]: [minAge: number, maxAge: number, weight: number],
  subStatus: string,
  stepCount: number,
  ...lastEvents: StoryEvent[]
): Story {
  const state = subStatus.split('_')[0]!;
  return { state, subStatus, steps: [...JOURNEY.slice(0, stepCount), ...lastEvents], minAge, maxAge, weight };
}

/** Returns a story that consists of the first `stepCount` events of the journey, followed by one event of its own. */
function createStoryWithEnding(
  ageAndWeight: [minAge: number, maxAge: number, weight: number],
  subStatus: string,
  [stepCount, day, description]: [stepCount: number, day: number, description: string],
  region: StoryEvent['region'] = 'city',
  stage: string | null = null,
): Story {
  return createStory(
    ageAndWeight,
    subStatus,
    stepCount,
    createStep(day, stage, subStatus, description, region),
  );
}

const createStoryWithoutShipment = (state: string, minAge: number, maxAge: number, weight: number): Story => {
  return { state, subStatus: null, steps: [], minAge, maxAge, weight };
};

const RETURNING_STEP = createStep(14, 'Returning', 'Exception_Returning', 'Return to sender', 'city');

/** Every status, and the sub-statuses that sellers ask about. */
export const STORIES: readonly Story[] = [
  createStoryWithoutShipment('unpaid', 0, 3, 6),
  createStoryWithoutShipment('paid', 0, 4, 20),
  createStoryWithoutShipment('cancelled', 1, 90, 4),
  createStory([1, 5, 10], 'NotFound_Other', 0),
  createStory([5, 30, 1], 'NotFound_InvalidCode', 0),
  createStory([1, 6, 14], 'InfoReceived', 1),
  createStory([2, 7, 30], 'InTransit_PickedUp', 2),
  createStory([4, 10, 40], 'InTransit_Departure', 3),
  createStory([8, 13, 30], 'InTransit_Arrival', 4),
  createStory([9, 15, 20], 'InTransit_CustomsProcessing', 5),
  createStory([10, 16, 16], 'InTransit_CustomsReleased', 6),
  createStoryWithEnding(
    [11, 24, 3],
    'InTransit_CustomsRequiringInformation',
    [5, 9, 'Customs asks for more information'],
    'border',
  ),
  createStoryWithEnding([11, 16, 10], 'InTransit_Other', [6, 9.2, 'At a sorting center']),
  createStoryWithEnding(
    [12, 20, 8],
    'AvailableForPickup_Other',
    [6, 10.2, 'Ready for pickup'],
    'city',
    'AvailableForPickup',
  ),
  createStory([11, 13, 30], 'OutForDelivery_Other', 7),
  createStoryWithEnding([12, 20, 4], 'DeliveryFailure_NoBody', [
    7,
    9.9,
    'Delivery attempted, nobody at home',
  ]),
  createStoryWithEnding([12, 24, 3], 'DeliveryFailure_InvalidAddress', [7, 9.9, 'Address incomplete']),
  createStoryWithEnding([12, 30, 2], 'DeliveryFailure_Rejected', [7, 9.9, 'Refused by the recipient']),
  createStoryWithEnding([12, 30, 4], 'Exception_Delayed', [4, 10, 'Delayed in transit'], 'border'),
  createStory([17, 50, 3], 'Exception_Returning', 7, RETURNING_STEP),
  createStory(
    [32, 90, 3],
    'Exception_Returned',
    7,
    RETURNING_STEP,
    createStep(27, 'Returned', 'Exception_Returned', 'Returned to the sender', 'origin'),
  ),
  createStoryWithEnding([14, 90, 2], 'Exception_Damage', [6, 10, 'Parcel damaged']),
  createStoryWithEnding([40, 90, 2], 'Exception_Lost', [4, 32, 'Parcel lost'], 'border'),
  createStoryWithEnding([12, 40, 2], 'Exception_Security', [4, 9, 'Held for a check'], 'border'),
  // Expiring does not change a known status, so only a shipment without events becomes `Expired`.
  createStory([40, 90, 4], 'Expired_Other', 0),
  createStory([12, 90, 160], 'Delivered_Other', 8),
];

/** Each story has at least this many orders. */
export const MIN_ORDERS_PER_STORY = 3;
