/** The services that can be queried about shipments. Users map their unknown statuses. */
export const CARRIERS = ['17track', 'yanwen'] as const;

export type Carrier = (typeof CARRIERS)[number];
