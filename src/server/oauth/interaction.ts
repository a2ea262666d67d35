import { timingSafeEqual } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { readBody } from '../http/body';
import { findUser, requireSameOrigin } from '../http/caller/authentication';
import type { Exchange } from '../http/exchange';
import { localeOf, sendPage } from '../http/pages/plain-page';
import { giveConsent } from '../identity/oauth/consent-service';
import { endSession } from '../identity/sessions/session-service';
import { renderConsentPage } from './consent-page';
import { renderCannotContinuePage } from './error-page';
import {
  askToSignIn,
  createFormToken,
  finishInteraction,
  type Interaction,
  type InteractionAction,
  type InteractionContext,
  type InteractionOptions,
  pathOf,
  readClientName,
  redirect,
} from './interaction-context';
import { resolveLoginPrompt } from './login-prompt';

/** The forms have one field, a token of 43 characters. */
const MAX_BODY_BYTES = 4_096;

const requestedScopes = ({ prompt, params }: Interaction): string[] => {
  const missingScopes = prompt.details.missingOIDCScope;
  return Array.isArray(missingScopes) ? missingScopes.map(String) : String(params.scope ?? '').split(' ');
};

async function askForConsent(context: InteractionContext): Promise<void> {
  const { exchange, interaction, user } = context;
  const redirectUri = String(interaction.params.redirect_uri);
  const page = renderConsentPage({
    locale: localeOf(exchange),
    clientName: await readClientName(context),
    user,
    scopes: requestedScopes(interaction),
    redirectUri,
    confirmPath: pathOf(interaction, 'confirm'),
    abortPath: pathOf(interaction, 'abort'),
    token: createFormToken(context),
  });
  sendPage(exchange, 200, page, redirectUri);
}

async function grantConsent(context: InteractionContext): Promise<void> {
  const { services, exchange, provider, interaction, user, adminPrefix } = context;
  const accountId = String(user.userId);
  const clientId = String(interaction.params.client_id);
  const clientName = await readClientName(context);
  const existingGrant = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
  const grant =
    existingGrant && existingGrant.accountId === accountId && existingGrant.clientId === clientId
      ? existingGrant
      : new provider.Grant({ accountId, clientId });
  const scopes = requestedScopes(interaction);
  grant.addOIDCScope(scopes.join(' '));
  const actor = {
    kind: 'user',
    id: user.userId,
    name: user.email,
    address: exchange.address || undefined,
    requestId: exchange.requestId,
  } as const;
  let grantId: string;
  try {
    const saveGrant = () => grant.save();
    grantId = await giveConsent(services.db, actor, user, { clientId, clientName, scopes, saveGrant });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'unauthorized')) throw error;
    // The user may have been deactivated, or their password reset, a moment ago.
    askToSignIn(exchange, interaction, adminPrefix);
    return;
  }
  await finishInteraction(context, { consent: { grantId } }, true);
}

/** @throws ServiceError `forbidden` unless the form comes from our page and this user's session */
async function requireCsrfToken(context: InteractionContext): Promise<void> {
  requireSameOrigin(context.exchange, context.appUrl);
  const body = await readBody(context.exchange.req, { ...context.bodyLimit, bytes: MAX_BODY_BYTES });
  const submittedToken = Buffer.from(new URLSearchParams(body.toString('utf8')).get('token') ?? '');
  const expectedToken = Buffer.from(createFormToken(context));
  if (submittedToken.length !== expectedToken.length || !timingSafeEqual(submittedToken, expectedToken))
    throw new ServiceError('forbidden', createReason('request.staleForm'));
}

async function findInteraction(
  exchange: Exchange,
  provider: Provider,
  uid: string,
): Promise<Interaction | null> {
  try {
    const interaction = await provider.interactionDetails(exchange.req, exchange.res);
    return interaction.uid === uid ? interaction : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return null;
    throw error;
  }
}

/** Shows the page of an interaction to the signed-in user, or performs their action. */
export async function handleInteraction(
  exchange: Exchange,
  provider: Provider,
  options: InteractionOptions,
  route: { uid: string; action: InteractionAction | null },
): Promise<void> {
  const { services, adminPrefix } = options;
  exchange.user = await findUser(services, exchange);
  const { user } = exchange;
  const interaction = await findInteraction(exchange, provider, route.uid);
  if (!interaction) {
    sendPage(exchange, 400, renderCannotContinuePage(localeOf(exchange), 'expired', adminPrefix));
    return;
  }
  if (!user) {
    askToSignIn(exchange, interaction, adminPrefix);
    return;
  }
  if (user.mustSetUpTwoFactor) {
    sendPage(exchange, 403, renderCannotContinuePage(localeOf(exchange), 'second_factor', adminPrefix));
    return;
  }
  const context: InteractionContext = { ...options, exchange, provider, interaction, user };
  const isConsent =
    interaction.prompt.name === 'consent' && interaction.session?.accountId === String(user.userId);
  if (route.action === null) {
    await (isConsent ? askForConsent(context) : resolveLoginPrompt(context));
    return;
  }
  await requireCsrfToken(context);
  // The user may have been deactivated while the form was being received.
  const currentUser = await findUser(services, exchange);
  if (currentUser?.sessionId !== user.sessionId) {
    askToSignIn(exchange, interaction, adminPrefix);
    return;
  }
  if (route.action === 'sign-in') {
    await endSession(services.db, user.sessionId);
    askToSignIn(exchange, interaction, adminPrefix);
  } else if (!isConsent) redirect(exchange, pathOf(interaction));
  else if (route.action === 'confirm') await grantConsent(context);
  else
    await finishInteraction(context, {
      error: 'access_denied',
      error_description: 'The user declined.',
    });
}
