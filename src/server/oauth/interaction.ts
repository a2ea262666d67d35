import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InteractionResults, Provider } from 'oidc-provider';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { type BodyLimit, readBody } from '../http/body';
import { findUser, requireSameOrigin } from '../http/caller/authentication';
import type { Exchange } from '../http/exchange';
import { localeOf, sendPage } from '../http/pages/plain-page';
import { sendResponse } from '../http/response';
import { findSignInTime } from '../identity/oauth/account-service';
import { giveConsent } from '../identity/oauth/consent-service';
import { deleteOAuthSession } from '../identity/oauth/record-service';
import type { UserPrincipal } from '../identity/principals';
import { endSession } from '../identity/sessions/session-service';
import type { Services } from '../trpc/context';
import { INTERACTION_PREFIX } from './configuration';
import { renderConsentPage, renderSignInAgainPage } from './consent-page';
import { renderCannotContinuePage } from './error-page';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The options of the sign-in and consent pages. */
export interface InteractionOptions {
  services: Services;
  appUrl: string;
  adminPrefix: string;
  bodyLimit: BodyLimit;
}

/** The actions that the forms can post. */
export type InteractionAction = 'confirm' | 'abort' | 'sign-in';

/** The forms have one field, a token of 43 characters. */
const MAX_BODY_BYTES = 4_096;

/** The reasons for a login prompt that may require a signed-in user to sign in again. */
const FRESH_SIGN_IN_REASONS = ['login_prompt', 'max_age'];

/** What is needed to respond to a signed-in user's request for an interaction. */
interface InteractionContext extends InteractionOptions {
  exchange: Exchange;
  provider: Provider;
  interaction: Interaction;
  user: UserPrincipal;
}

const pathOf = ({ uid }: Interaction, action?: InteractionAction) =>
  `${INTERACTION_PREFIX}${uid}${action ? `/${action}` : ''}`;

function redirect(exchange: Exchange, location: string): void {
  sendResponse(exchange, 303, '', { headers: { Location: location }, contentType: 'text/plain' });
}

function askToSignIn(exchange: Exchange, interaction: Interaction, adminPrefix: string): void {
  const callbackUrl = encodeURIComponent(pathOf(interaction));
  redirect(exchange, `${adminPrefix}/sign-in?callbackUrl=${callbackUrl}`);
}

/** Returns the form's CSRF token, which is bound to the interaction and the user's session. */
function createFormToken({ services, interaction, user }: InteractionContext): string {
  return createHmac('sha256', services.secrets.deriveKey('consent'))
    .update(`${interaction.uid}\n${user.sessionId}`)
    .digest('base64url');
}

async function finishInteraction(
  { exchange, provider }: InteractionContext,
  result: InteractionResults,
  mergeWithLastSubmission = false,
): Promise<void> {
  const { req, res } = exchange;
  redirect(exchange, await provider.interactionResult(req, res, result, { mergeWithLastSubmission }));
}

async function readClientName({ provider, interaction }: InteractionContext): Promise<string> {
  const client = await provider.Client.find(String(interaction.params.client_id));
  if (!client) throw new ServiceError('forbidden', createReason('request.clientRevoked'));
  return client.clientName ?? client.clientId;
}

/** Returns whether the user signed in as recently as the client requires. */
async function hasFreshSignIn({ services, interaction, user }: InteractionContext): Promise<boolean> {
  const signedInAtMs = (await findSignInTime(services.db, user.sessionId))?.getTime() ?? 0;
  // A user who has just signed in for this interaction is not asked again, however short the allowed time.
  if (signedInAtMs >= interaction.iat * 1000) return true;
  const { max_age: maxAge } = interaction.params;
  if (interaction.prompt.reasons.includes('login_prompt') || maxAge === undefined) return false;
  return services.now() - signedInAtMs <= Number(maxAge) * 1000;
}

/** Returns the subject of the client's id_token_hint, whose signature oidc-provider has already verified. */
function readHintedSubject({ params }: Interaction): unknown {
  const [, payload = ''] = String(params.id_token_hint).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')).sub;
}

/**
 * Resolves the login prompt with the signed-in user. Asks them to sign in again if the client requires a more recent sign-in,
 * and refuses if the client wants another user.
 */
async function resolveLoginPrompt(context: InteractionContext): Promise<void> {
  const { services, exchange, interaction, user } = context;
  const { reasons } = interaction.prompt;
  const accountId = String(user.userId);
  if (reasons.some((reason) => FRESH_SIGN_IN_REASONS.includes(reason)) && !(await hasFreshSignIn(context))) {
    const page = renderSignInAgainPage({
      locale: localeOf(exchange),
      clientName: await readClientName(context),
      path: pathOf(interaction, 'sign-in'),
      token: createFormToken(context),
    });
    sendPage(exchange, 200, page);
    return;
  }
  const sessionAccountId = interaction.session?.accountId;
  const isOtherUserHinted = reasons.includes('id_token_hint') && readHintedSubject(interaction) !== accountId;
  if (
    isOtherUserHinted ||
    (sessionAccountId === accountId && !reasons.some((reason) => FRESH_SIGN_IN_REASONS.includes(reason)))
  ) {
    // The client wants another user. Asking the current user again would only lead back here.
    await finishInteraction(context, {
      error: 'login_required',
      error_description: 'Another user is signed in.',
    });
    return;
  }
  if (sessionAccountId !== undefined && sessionAccountId !== accountId) await dropPreviousSession(context);
  const signedInAt = await findSignInTime(services.db, user.sessionId);
  const ts = Math.floor((signedInAt?.getTime() ?? services.now()) / 1000);
  await finishInteraction(context, { login: { accountId, ts } });
}

/** Drops the previous user's session, so that consents given in it do not count for the current user. */
async function dropPreviousSession({ services, interaction }: InteractionContext): Promise<void> {
  if (interaction.session?.uid) await deleteOAuthSession(services.db, interaction.session.uid);
  interaction.session = undefined;
  await interaction.persist();
}

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
