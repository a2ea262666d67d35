import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InteractionResults, Provider } from 'oidc-provider';
import { ServiceError } from '../core/errors';
import { because } from '../core/reason';
import { findPerson, requireSameOrigin } from '../http/admission';
import { sendAnswer } from '../http/answer';
import { type BodyLimit, readBody } from '../http/body';
import type { Exchange } from '../http/exchange';
import { signedInAt } from '../identity/oauth/account-service';
import { noteConsent } from '../identity/oauth/client-service';
import { deleteOAuthSession } from '../identity/oauth/record-service';
import type { PersonPrincipal } from '../identity/principals';
import { endSession } from '../identity/sessions/session-service';
import type { Services } from '../trpc/context';
import { INTERACTION_PREFIX } from './configuration';
import { consentPage, signInAgainPage } from './consent-page';
import { obstaclePage } from './error-page';
import { languageOf, sendPage } from './page';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What the questions need to be asked. */
export interface InteractionOptions {
  services: Services;
  appUrl: string;
  adminPrefix: string;
  bodyLimit: BodyLimit;
}

/** The answers that can be posted. */
export type InteractionAnswer = 'confirm' | 'abort' | 'sign-in';

/** Two fields; a token is 43 characters. */
const MAX_BODY_BYTES = 4_096;

/** Login prompts that mean: have the person sign in now, though they are signed in. */
const WANTS_FRESH = ['login_prompt', 'max_age'];

/** One question to one person, while it is answered. */
interface Question extends InteractionOptions {
  exchange: Exchange;
  provider: Provider;
  interaction: Interaction;
  person: PersonPrincipal;
}

const pathOf = ({ uid }: Interaction, answer?: InteractionAnswer) =>
  `${INTERACTION_PREFIX}${uid}${answer ? `/${answer}` : ''}`;

function seeOther(exchange: Exchange, location: string): void {
  sendAnswer(exchange, 303, '', { headers: { Location: location }, contentType: 'text/plain' });
}

function askToSignIn(exchange: Exchange, interaction: Interaction, adminPrefix: string): void {
  const back = encodeURIComponent(pathOf(interaction));
  seeOther(exchange, `${adminPrefix}/sign-in?callbackUrl=${back}`);
}

/** Bound to the question and to the person's session, so that nobody else's form can carry it. */
function formToken({ services, interaction, person }: Question): string {
  return createHmac('sha256', services.secrets.key('consent'))
    .update(`${interaction.uid}\n${person.sessionId}`)
    .digest('base64url');
}

async function finish(
  { exchange, provider }: Question,
  result: InteractionResults,
  mergeWithLastSubmission = false,
): Promise<void> {
  const { req, res } = exchange;
  seeOther(exchange, await provider.interactionResult(req, res, result, { mergeWithLastSubmission }));
}

async function clientName({ provider, interaction }: Question): Promise<string> {
  const client = await provider.Client.find(String(interaction.params.client_id));
  if (!client) throw new ServiceError('forbidden', because('request.clientRevoked'));
  return client.clientName ?? client.clientId;
}

/** Whether the person signed in as lately as the tool wants it. */
async function isFresh({ services, interaction, person }: Question): Promise<boolean> {
  const at = (await signedInAt(services.db, person.sessionId))?.getTime() ?? 0;
  // Whoever signs in because they are asked to is not asked again, however short the time that the tool allows.
  if (at >= interaction.iat * 1000) return true;
  const { max_age: maxAge } = interaction.params;
  if (interaction.prompt.reasons.includes('login_prompt') || maxAge === undefined) return false;
  return services.now() - at <= Number(maxAge) * 1000;
}

/** Whom the tool expects. oidc-provider has checked the hint's signature, and does not look at it again. */
function hintedSubject({ params }: Interaction): unknown {
  const [, payload = ''] = String(params.id_token_hint).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')).sub;
}

/** Answers "who is it?" with the person who is signed in. */
async function answerLogin(question: Question): Promise<void> {
  const { services, exchange, interaction, person } = question;
  const { reasons } = interaction.prompt;
  const accountId = String(person.userId);
  if (reasons.some((reason) => WANTS_FRESH.includes(reason)) && !(await isFresh(question))) {
    const page = signInAgainPage({
      language: languageOf(exchange),
      clientName: await clientName(question),
      path: pathOf(interaction, 'sign-in'),
      token: formToken(question),
    });
    sendPage(exchange, 200, page);
    return;
  }
  const known = interaction.session?.accountId;
  const hinted = reasons.includes('id_token_hint') && hintedSubject(interaction) !== accountId;
  if (hinted || (known === accountId && !reasons.some((reason) => WANTS_FRESH.includes(reason)))) {
    // The tool wants somebody else, and asking the same person again would lead here again.
    await finish(question, { error: 'login_required', error_description: 'Another person is signed in.' });
    return;
  }
  if (known !== undefined && known !== accountId) await forgetFormerPerson(question);
  const at = await signedInAt(services.db, person.sessionId);
  const ts = Math.floor((at?.getTime() ?? services.now()) / 1000);
  await finish(question, { login: { accountId, ts } });
}

/** What was allowed under the former person's session must not count for the one who is here now. */
async function forgetFormerPerson({ services, interaction }: Question): Promise<void> {
  if (interaction.session?.uid) await deleteOAuthSession(services.db, interaction.session.uid);
  interaction.session = undefined;
  await interaction.persist();
}

const wantedScopes = ({ prompt, params }: Interaction): string[] => {
  const missing = prompt.details.missingOIDCScope;
  return Array.isArray(missing) ? missing.map(String) : String(params.scope ?? '').split(' ');
};

async function askConsent(question: Question): Promise<void> {
  const { exchange, interaction, person } = question;
  const redirectUri = String(interaction.params.redirect_uri);
  const page = consentPage({
    language: languageOf(exchange),
    clientName: await clientName(question),
    person,
    scopes: wantedScopes(interaction),
    redirectUri,
    confirmPath: pathOf(interaction, 'confirm'),
    abortPath: pathOf(interaction, 'abort'),
    token: formToken(question),
  });
  sendPage(exchange, 200, page, redirectUri);
}

async function confirm(question: Question): Promise<void> {
  const { services, exchange, provider, interaction, person } = question;
  const accountId = String(person.userId);
  const clientId = String(interaction.params.client_id);
  const name = await clientName(question);
  const former = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
  const grant =
    former && former.accountId === accountId && former.clientId === clientId
      ? former
      : new provider.Grant({ accountId, clientId });
  const scopes = wantedScopes(interaction);
  grant.addOIDCScope(scopes.join(' '));
  const grantId = await grant.save();
  const actor = {
    kind: 'user',
    id: person.userId,
    name: person.email,
    address: exchange.address || undefined,
    requestId: exchange.requestId,
  } as const;
  await noteConsent(services.db, actor, { clientId, clientName: name, scopes });
  await finish(question, { consent: { grantId } }, true);
}

/** @throws ServiceError `forbidden` unless the form that was sent is ours, sent by this person */
async function requireOwnForm(question: Question): Promise<void> {
  requireSameOrigin(question.exchange, question.appUrl);
  const body = await readBody(question.exchange.req, { ...question.bodyLimit, bytes: MAX_BODY_BYTES });
  const given = Buffer.from(new URLSearchParams(body.toString('utf8')).get('token') ?? '');
  const right = Buffer.from(formToken(question));
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new ServiceError('forbidden', because('request.staleForm'));
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

/** Asks the person who is signed in what the authorization server wants to know, or takes their answer. */
export async function answerInteraction(
  exchange: Exchange,
  provider: Provider,
  options: InteractionOptions,
  asked: { uid: string; answer: InteractionAnswer | null },
): Promise<void> {
  const { services, adminPrefix } = options;
  exchange.person = await findPerson(services, exchange);
  const { person } = exchange;
  const interaction = await findInteraction(exchange, provider, asked.uid);
  if (!interaction) {
    sendPage(exchange, 400, obstaclePage(languageOf(exchange), 'over', adminPrefix));
    return;
  }
  if (!person) {
    askToSignIn(exchange, interaction, adminPrefix);
    return;
  }
  if (person.mustSetUpTwoFactor) {
    sendPage(exchange, 403, obstaclePage(languageOf(exchange), 'second_factor', adminPrefix));
    return;
  }
  const question: Question = { ...options, exchange, provider, interaction, person };
  const consenting =
    interaction.prompt.name === 'consent' && interaction.session?.accountId === String(person.userId);
  if (asked.answer === null) {
    await (consenting ? askConsent(question) : answerLogin(question));
    return;
  }
  await requireOwnForm(question);
  // Whoever was deactivated while the form was on its way answers nothing any more.
  const still = await findPerson(services, exchange);
  if (still?.sessionId !== person.sessionId) {
    askToSignIn(exchange, interaction, adminPrefix);
    return;
  }
  if (asked.answer === 'sign-in') {
    await endSession(services.db, person.sessionId);
    askToSignIn(exchange, interaction, adminPrefix);
  } else if (!consenting) seeOther(exchange, pathOf(interaction));
  else if (asked.answer === 'confirm') await confirm(question);
  else await finish(question, { error: 'access_denied', error_description: 'The person has declined.' });
}
