/** What can be wrong with shops, orders, products, prompts, saved views and export templates. */
export const DOMAIN_REASONS = {
  shop: {
    archivedTaken: 'is used by shop {id}, which is archived; choose another',
    taken: 'is used by shop {id}; choose another',
    formerName: 'was the name of shop {id}, and requests that use it still reach that shop; choose another',
    twoPrompts: 'already has a prompt stored under it, and this shop has a prompt too; choose another',
    currency: 'must be an ISO 4217 currency code, such as USD or GBP',
    timeZone: 'must be a time zone such as America/New_York or Europe/London',
    otherName: 'must be the name of the shop: {name}',
    deleting: '{name} and all its data are being deleted.',
  },
  country: {
    letters: 'must have a letter or a digit',
    means: 'already refers to {country}; remove it there first',
  },
  order: {
    unknown: 'the shop has no order "{receipt}"',
    noRows: 'needs at least one row',
    manyRows: 'takes at most {count} rows at once',
    manyPrinted: 'More than {count} orders are selected. Choose fewer, and print the rest afterwards.',
    tooMany: 'matches more than {count} orders, the most that can be changed at once; narrow the filters',
    otherCount:
      'The number of matching orders is now {count}, not {expected}. Nothing was changed: check the list, then try again.',
    noTrackingNumber: 'The order has no tracking number "{number}".',
    sameNumber: 'is the same number as "{number}"',
    notRemoved: 'Nobody has removed the tracking number "{number}" from this order.',
  },
  catalog: {
    twice: 'appears twice in the file; each code belongs to one product',
    archivedCode: 'is the code of an archived product; restore that one, or choose another code',
    codeTaken: 'is the code of another product; choose another',
    noCategory: 'must be a category; none has the id {id}',
    categoryTaken: 'is taken by another category (upper and lower case count as the same); choose another',
    categoryInUse:
      'still has products ({count}, counting archived ones); move them to another category first',
    listed: 'cannot be changed: GET {path} serves the category with this name',
    order: 'must name each of the {count} categories once; reload them, as they may have changed',
  },
  prompt: {
    none: 'has no prompt; save a draft first',
    messages: 'must have at most {count} messages',
    live: 'is already live',
    wasLive: 'has been live before; roll back to it instead',
    neverLive: 'has never been live; publish it instead',
    unpublished:
      'no prompt is published for a shop with this name; check the name, or publish a prompt for the shop first',
  },
  view: {
    tooMany: 'cannot be saved because you already have {count} views; remove one first',
    tooManyPinned: 'cannot be pinned because {count} views are already pinned to this list; unpin one first',
    nameTaken: 'is the name of another of your views; choose another',
  },
  template: {
    tooMany: 'cannot be saved because there are already {count} templates; delete one first',
    nameTaken: 'is the name of another template; choose another',
    noColumns: 'needs at least one column',
  },
} as const;
