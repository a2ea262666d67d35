import type { TrackingStatus } from '../../core/statuses';

/**
 * How the tracking text describes a status. In `state` and `brief`, `{A|B}` becomes "A" followed by the time if it is known,
 * otherwise "B". `{A}` is short for `{A|}`.
 */
export interface Phrase {
  /** A sentence about what has happened to the shipment. */
  state: string;
  /** Sentences about what comes next, and what the seller or the buyer can do. */
  nextSteps: string;
  /** What `state` says, in the short form that a list of shipments needs. */
  brief: string;
  /** Whether the carrier has accepted the shipment, so that the text may say that it was sent. */
  isSent: boolean;
  /**
   * When to name the location: `any` always, `with-status` only if it was reported with the status (an older one would mislead),
   * `never` not at all.
   */
  locationRule: 'any' | 'with-status' | 'never';
}

type Words = Pick<Phrase, 'state' | 'nextSteps' | 'brief'> & Partial<Phrase>;

/**
 * Each status's words: `bySubStatus` for the sub-statuses with words of their own, `main` for all others and for the status alone.
 */
export const WORDS_BY_STATUS: Record<TrackingStatus, { main: Words; bySubStatus?: Record<string, Words> }> = {
  not_found: {
    main: {
      state:
        'The carrier does not show any information about your parcel yet{; we have been watching for its first scan since}.',
      nextSteps:
        'That is common until a parcel has been scanned for the first time. We are keeping an eye on it, and you are welcome to write to us at any time.',
      brief: 'no information from the carrier yet',
      isSent: false,
      locationRule: 'never',
    },
    bySubStatus: {
      InvalidCode: {
        state:
          'The carrier {has not recognized this tracking number since|does not recognize this tracking number}.',
        nextSteps:
          'There may be a mistake in the number. We are checking it, and we will send you the right one if this one is wrong.',
        brief: 'tracking number not recognized by the carrier',
        isSent: false,
        locationRule: 'never',
      },
    },
  },
  info_received: {
    main: {
      state: 'The shipping details reached the carrier{ on}; the parcel itself has not been scanned yet.',
      nextSteps:
        'The next step is its first scan, once the carrier has taken it in. From then on you can follow it with the tracking number.',
      brief: 'shipping details received by the carrier{ on}, parcel not scanned yet',
      isSent: false,
      locationRule: 'never',
    },
  },
  in_transit: {
    main: {
      state: 'Your parcel is on its way to you{; the carrier reported this on}.',
      nextSteps:
        "The parcel still has to pass through the carrier's network before it goes out for delivery. We are keeping an eye on it for you.",
      brief: 'on its way{, as reported on}',
    },
    bySubStatus: {
      PickedUp: {
        state: 'The carrier picked up your parcel{ on}.',
        nextSteps:
          'The parcel goes to a sorting center first and from there on toward your address. If you have any questions on the way, we are glad to answer them.',
        brief: 'picked up by the carrier{ on}',
      },
      Departure: {
        state: 'Your parcel left its country or region of origin{ on}.',
        nextSteps:
          'The next scan usually follows when the parcel arrives on the other side. On a long route that can take a while, and no news in between is no reason to worry.',
        brief: 'left its country or region of origin{ on}',
      },
      Arrival: {
        state: 'Your parcel reached its country or region of destination{ on}.',
        nextSteps:
          'The next steps are customs, where that applies, and the local carrier, which takes the parcel toward your address. We are following it for you.',
        brief: 'reached its country or region of destination{ on}',
      },
      CustomsProcessing: {
        state: 'Your parcel {has been with customs since|is with customs}.',
        nextSteps:
          'Customs is a normal step for a parcel from abroad, and neither the carrier nor we can speed it up. Once the parcel is released, it continues toward your address.',
        brief: '{with customs since|with customs}',
      },
      CustomsReleased: {
        state: 'Customs released your parcel{ on}.',
        nextSteps:
          'The parcel goes back to the carrier and continues toward your address. We are following it for you.',
        brief: 'released by customs{ on}',
      },
      CustomsRequiringInformation: {
        state:
          'Customs {has been asking for more information about your parcel since|is asking for more information about your parcel}.',
        nextSteps:
          'If the carrier or the customs office contacts you, please answer them, as the parcel waits until they have what they need. If they ask for something that you do not have, such as an invoice, please write to us, and we will gladly help.',
        brief: 'customs {has been asking for more information since|is asking for more information}',
      },
    },
  },
  available_for_pickup: {
    main: {
      state: 'Your parcel {has been ready for you to pick up since|is ready for you to pick up}.',
      nextSteps:
        'Please collect it at the pickup point that the carrier names, and bring the tracking number and an ID. Parcels that nobody collects are sent back to us after a while. If you cannot find the place, please write to us.',
      brief: '{ready for you to pick up since|ready for you to pick up}',
    },
  },
  out_for_delivery: {
    main: {
      state: 'Your parcel {has been out for delivery since|is out for delivery}.',
      nextSteps:
        'The next step is the delivery itself. Please make sure, if you can, that someone is there to receive it; if it does not reach you, please write to us.',
      brief: '{out for delivery since|out for delivery}',
    },
  },
  delivery_failure: {
    main: {
      state: 'The carrier tried to deliver your parcel{ on}, but without success.',
      nextSteps:
        'As a rule, the carrier tries again or keeps the parcel for pickup. Please look for a notice from the carrier, and write to us if we can help.',
      brief: 'unsuccessful delivery attempt{ on}',
    },
    bySubStatus: {
      NoBody: {
        state: 'The carrier tried to deliver your parcel{ on}, but could not reach anyone to receive it.',
        nextSteps:
          'Please look for a notice from the carrier: it says whether there will be another attempt or where you can pick the parcel up. With the tracking number, you can also ask the carrier directly.',
        brief: 'delivery attempt{ on}, nobody could be reached',
      },
      InvalidAddress: {
        state: 'The delivery of your parcel failed{ on} because of an incorrect or incomplete address.',
        nextSteps:
          'Please send us your full address, including the apartment number if there is one, so that we can ask the carrier to correct it.',
        brief: 'delivery failed{ on} because of an incorrect or incomplete address',
      },
      Rejected: {
        state: 'The carrier tried to deliver your parcel{ on}, but it was refused at the address.',
        nextSteps:
          'If this was a mistake, please write to us, so that we can ask the carrier for another attempt. Otherwise the parcel is usually sent back to us.',
        brief: 'refused at the address{ on}',
      },
      Security: {
        state: 'The delivery of your parcel was stopped{ on} because of a security check, customs or a fee.',
        nextSteps:
          'The carrier can tell you what is missing, for example a payment or a document. Please contact it with the tracking number, and write to us if you need anything from us.',
        brief: 'delivery stopped{ on} because of a security check, customs or a fee',
      },
    },
  },
  delivered: {
    main: {
      state: 'The carrier delivered your parcel{ on}.',
      nextSteps:
        'We hope that you enjoy your order! If you cannot find the parcel, please look in your mailbox, ask the people you live with and your neighbors, and then write to us: we will help you.',
      brief: 'delivered{ on}',
      locationRule: 'with-status',
    },
  },
  expired: {
    main: {
      state:
        'The carrier has not reported anything new about your parcel for a long time{; its tracking ended on}.',
      nextSteps:
        'Some parcels arrive without any further scans. If yours has not reached you, please write to us, and we will ask the carrier about it.',
      brief: 'no news from the carrier for a long time',
      isSent: false,
    },
  },
  exception: {
    main: {
      state: 'The carrier reported a problem with your parcel{ on}.',
      nextSteps:
        'We are sorry about this. We will ask the carrier what happened and what comes next, and you are welcome to write to us at any time.',
      brief: 'problem reported by the carrier{ on}',
    },
    bySubStatus: {
      Returning: {
        state: 'Your parcel {has been on its way back to us since|is on its way back to us}.',
        nextSteps:
          'Please check that we have your correct address. Once the parcel is back with us, we will agree with you on what happens next.',
        brief: '{on its way back to us since|on its way back to us}',
      },
      Returned: {
        state: 'Your parcel was returned to us{ on}.',
        nextSteps:
          'Please write to us and tell us whether we may send it again and to which address, or whether you would prefer another solution.',
        brief: 'returned to us{ on}',
        locationRule: 'with-status',
      },
      NoBody: {
        state: 'The carrier reported{ on} that it cannot find the recipient of your parcel.',
        nextSteps:
          'Please send us your full name, address and telephone number, so that we can pass them on to the carrier.',
        brief: 'recipient not found by the carrier{ on}',
      },
      Security: {
        state: 'Your parcel was held{ on} because of a security check, customs or a fee.',
        nextSteps:
          'We will ask the carrier what is needed to release it. If the carrier contacts you first, please answer it and let us know.',
        brief: 'held{ on} because of a security check, customs or a fee',
      },
      Damage: {
        state: 'The carrier reported{ on} that your parcel was damaged on the way.',
        nextSteps:
          'We are very sorry. If the parcel reaches you, please take photos of the packaging and of what is in it; in any case, please write to us, and we will find a solution together.',
        brief: 'damaged on the way, as reported{ on} by the carrier',
      },
      Rejected: {
        state: 'The carrier reported{ on} that your parcel was refused before delivery.',
        nextSteps:
          'If you did not refuse it, please write to us, so that we can clear this up with the carrier. Otherwise the parcel usually comes back to us.',
        brief: 'refused before delivery{ on}',
      },
      Delayed: {
        state: 'The carrier reported{ on} that your parcel is delayed.',
        nextSteps:
          'The parcel is still on its way, and we are sorry for the longer wait. We are following it for you, although we cannot say how long the delay will be.',
        brief: 'delayed, as reported{ on} by the carrier',
      },
      Lost: {
        state: 'The carrier reported{ on} that your parcel is lost.',
        nextSteps:
          'We are very sorry. We will take this up with the carrier; please write to us, so that we can agree with you on how to put it right.',
        brief: 'reported lost by the carrier{ on}',
      },
      Destroyed: {
        state: 'The carrier reported{ on} that your parcel could not be delivered and was destroyed.',
        nextSteps:
          'We are very sorry. Please write to us, so that we can agree with you on how to put it right; we will ask the carrier for the reason.',
        brief: 'reported destroyed by the carrier{ on}',
      },
      Cancel: {
        state: 'The shipment of your parcel was canceled{ on}.',
        nextSteps:
          'We will find out why. Please write to us if you have any questions, and we will tell you how we can get your order to you.',
        brief: 'shipment canceled{ on}',
        isSent: false,
        locationRule: 'never',
      },
    },
  },
};
