import { createHmac } from 'node:crypto';
import type { InteractionResults, Provider } from 'oidc-provider';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { BodyLimit } from '../http/body';
import type { Exchange } from '../http/exchange';
import { sendResponse } from '../http/response';
import type { UserPrincipal } from '../identity/principals';
import type { Services } from '../trpc/context';
import { INTERACTION_PREFIX } from './configuration';

/** An authorization request that waits for the user. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The options of the sign-in and consent pages. */
export interface InteractionOptions {
  services: Services;
  appUrl: string;
  adminPrefix: string;
  bodyLimit: BodyLimit;
}

/** The actions that the forms can post. */
export type InteractionAction = 'confirm' | 'abort' | 'sign-in';

/** What is needed to respond to a signed-in user's request for an interaction. */
export interface InteractionContext extends InteractionOptions {
  exchange: Exchange;
  provider: Provider;
  interaction: Interaction;
  user: UserPrincipal;
}

/** Returns the path of the page of an interaction, or of an action of its forms. */
export const pathOf = ({ uid }: Interaction, action?: InteractionAction) =>
  `${INTERACTION_PREFIX}${uid}${action ? `/${action}` : ''}`;

/** Responds with a redirect that the browser follows with a GET. */
export function redirect(exchange: Exchange, location: string): void {
  sendResponse(exchange, 303, '', { headers: { Location: location }, contentType: 'text/plain' });
}

/** Redirects to the sign-in page, which leads back to the interaction. */
export function askToSignIn(exchange: Exchange, interaction: Interaction, adminPrefix: string): void {
  const callbackUrl = encodeURIComponent(pathOf(interaction));
  redirect(exchange, `${adminPrefix}/sign-in?callbackUrl=${callbackUrl}`);
}

/** Returns the form's CSRF token, which is bound to the interaction and the user's session. */
export function createFormToken({ services, interaction, user }: InteractionContext): string {
  return createHmac('sha256', services.secrets.deriveKey('consent'))
    .update(`${interaction.uid}\n${user.sessionId}`)
    .digest('base64url');
}

/** Ends the interaction with a result, and redirects to where the authorization continues. */
export async function finishInteraction(
  { exchange, provider }: InteractionContext,
  result: InteractionResults,
  mergeWithLastSubmission = false,
): Promise<void> {
  const { req, res } = exchange;
  redirect(exchange, await provider.interactionResult(req, res, result, { mergeWithLastSubmission }));
}

/** @throws ServiceError `forbidden` if the client no longer exists */
export async function readClientName({ provider, interaction }: InteractionContext): Promise<string> {
  const client = await provider.Client.find(String(interaction.params.client_id));
  if (!client) throw new ServiceError('forbidden', createReason('request.clientRevoked'));
  return client.clientName ?? client.clientId;
}
