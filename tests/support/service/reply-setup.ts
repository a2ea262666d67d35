import { type MessageService, startMessageService } from './message-service';
import { createSignedInUser, type SignedInUser } from './signed-in';

/** A service that writes replies to buyers, two of its users, and the order that the replies are about. */
export interface ReplySetup {
  service: MessageService;
  operator: SignedInUser;
  viewer: SignedInUser;
  orderId: string;
}

export async function openReplySetup(environment: Record<string, string> = {}): Promise<ReplySetup> {
  const service = await startMessageService(environment);
  const operator = await createSignedInUser(service, 'operator');
  const viewer = await createSignedInUser(service, 'viewer');
  const [order] = await service.database.query<{ id: string }>('SELECT id::text FROM orders');
  return { service, operator, viewer, orderId: order!.id };
}

/** Deletes the replies of the previous test and the counts of their tokens, and restores the provider's normal replies. */
export async function clearReplies(service: MessageService): Promise<void> {
  await service.database.query('DELETE FROM replies');
  await service.database.query('DELETE FROM reply_token_days');
  service.resetProvider();
}
