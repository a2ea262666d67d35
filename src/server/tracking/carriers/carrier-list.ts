/** The services that can be queried about shipments. Users can map the statuses of each that we do not know. */
export const CARRIERS = ['17track', 'yanwen'] as const;

export type Carrier = (typeof CARRIERS)[number];
