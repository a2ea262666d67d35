import { localeOf, sendPage } from '../http/pages/plain-page';
import { findSignInTime } from '../identity/oauth/account-service';
import { deleteOAuthSession } from '../identity/oauth/record-service';
import { renderSignInAgainPage } from './consent-page';
import {
  createFormToken,
  finishInteraction,
  type Interaction,
  type InteractionContext,
  pathOf,
  readClientName,
} from './interaction-context';

/** The reasons for a login prompt that may require a signed-in user to sign in again. */
const FRESH_SIGN_IN_REASONS = ['login_prompt', 'max_age'];

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
export async function resolveLoginPrompt(context: InteractionContext): Promise<void> {
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
