/** The sender that stands for the buyer. Every other sender is the shop. */
export const BUYER = 'buyer';

/** Returns whether a message is from the buyer. Case and surrounding spaces of its sender are ignored. */
export const isFromBuyer = (sender: string): boolean => sender.trim().toLowerCase() === BUYER;
