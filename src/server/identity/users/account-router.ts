import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { clientInput, consentsOutput } from '../oauth/client-schema';
import { listConsents, withdrawConsent } from '../oauth/consent-service';
import { permissionsOf } from '../roles';
import { confirmIdentity } from '../sessions/confirm-service';
import { endOtherSessions, endOwnSession, listSessions } from '../sessions/session-service';
import {
  beginTwoFactor,
  countRecoveryCodes,
  disableTwoFactor,
  enableTwoFactor,
  regenerateRecoveryCodes,
} from '../sessions/two-factor-service';
import {
  beginTwoFactorOutput,
  changePasswordInput,
  codeInput,
  confirmInput,
  endedOutput,
  meOutput,
  recoveryCodesOutput,
  sessionInput,
  sessionsOutput,
  updateMeInput,
} from './account-schema';
import { changeOwnPassword, updateOwnProfile } from './own-account-service';
import { readOwnUser } from './view-service';

const ownProcedure = userProcedure('self.manage');
/** Procedures that are allowed before a required second factor is set up. */
const twoFactorExemptProcedure = userProcedure('self.manage', { isAllowedBeforeTwoFactor: true });

/**
 * Requires confirmation: otherwise someone with a stolen session could set up a second factor and lock the user out.
 */
const confirmedTwoFactorExemptProcedure = userProcedure('self.manage', {
  isAllowedBeforeTwoFactor: true,
  requiresConfirmation: true,
});

const DONE = { done: true } as const;

/** What users may do with their own account. */
export const accountRouter = router({
  me: twoFactorExemptProcedure.output(meOutput).query(async ({ ctx: { services, user } }) => {
    const account = await readOwnUser(services.db, user.userId);
    return {
      id: account.id,
      email: account.email,
      name: account.name,
      role: account.role,
      locale: user.locale,
      time_zone: user.timeZone,
      two_factor: account.hasTwoFactor,
      two_factor_required: account.twoFactorRequired,
      has_password: account.hasPassword,
      recovery_codes_left: await countRecoveryCodes(services.db, account.id),
      permissions: permissionsOf(account.role),
    };
  }),

  update: ownProcedure
    .input(updateMeInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      const { time_zone: timeZone, ...change } = input;
      await updateOwnProfile(services.db, actor, user.userId, {
        ...change,
        ...(timeZone === undefined ? {} : { timeZone }),
      });
      return DONE;
    }),

  changePassword: ownProcedure
    .input(changePasswordInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      await changeOwnPassword(services.db, actor, {
        userId: user.userId,
        sessionId: user.sessionId,
        currentPassword: input.current_password,
        newPassword: input.new_password,
      });
      return DONE;
    }),

  /** Checks the password and code, so that procedures that require confirmation can be called. */
  confirm: twoFactorExemptProcedure
    .input(confirmInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, address }, input: { password = '', code = '' } }) => {
      await confirmIdentity(services, user, { password, code, address });
      return DONE;
    }),

  beginTwoFactor: confirmedTwoFactorExemptProcedure
    .output(beginTwoFactorOutput)
    .mutation(({ ctx: { services, user } }) =>
      beginTwoFactor(services, { id: user.userId, email: user.email }),
    ),

  enableTwoFactor: twoFactorExemptProcedure
    .input(codeInput)
    .output(recoveryCodesOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => ({
      recovery_codes: await enableTwoFactor(services, actor, user, input.code),
    })),

  renewRecoveryCodes: ownProcedure
    .input(codeInput)
    .output(recoveryCodesOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => ({
      recovery_codes: await regenerateRecoveryCodes(services, actor, user, input.code),
    })),

  disableTwoFactor: ownProcedure
    .input(codeInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      await disableTwoFactor(services, actor, user, input.code);
      return DONE;
    }),

  sessions: twoFactorExemptProcedure.output(sessionsOutput).query(async ({ ctx: { services, user } }) => {
    const sessions = await listSessions(services.db, user.userId);
    return sessions.map((session) => ({
      ...session,
      here: session.id === user.sessionId,
      created_at: session.created_at.toISOString(),
      last_seen_at: session.last_seen_at.toISOString(),
    }));
  }),

  endSession: twoFactorExemptProcedure
    .input(sessionInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      await endOwnSession(services.db, actor, user.userId, input.id);
      return DONE;
    }),

  endOtherSessions: twoFactorExemptProcedure
    .output(endedOutput)
    .mutation(async ({ ctx: { services, user, actor } }) => ({
      ended: await endOtherSessions(services.db, actor, user.userId, user.sessionId),
    })),

  /** The OAuth clients that may act for the user. */
  consents: ownProcedure.output(consentsOutput).query(async ({ ctx: { services, user } }) => {
    const consents = await listConsents(services.db, user.userId);
    return consents.map(({ clientId, clientName, scopes, since, until }) => ({
      client_id: clientId,
      name: clientName,
      scopes,
      since: since.toISOString(),
      until: until.toISOString(),
    }));
  }),

  withdrawConsent: ownProcedure
    .input(clientInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      await withdrawConsent(services.db, actor, { userId: user.userId, clientId: input.client_id });
      return DONE;
    }),
});
