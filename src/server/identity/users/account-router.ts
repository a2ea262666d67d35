import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
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
  renewRecoveryCodes,
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

const ownProcedure = personProcedure('self.manage');
/** Procedures open to a user who must set up a second factor first. */
const beforeTwoFactorProcedure = personProcedure('self.manage', { beforeTwoFactor: true });

/** A thief who sets up a second factor would lock the user out. */
const confirmedBeforeTwoFactorProcedure = personProcedure('self.manage', {
  beforeTwoFactor: true,
  confirmed: true,
});

const DONE = { done: true } as const;

/** What users may do to their own account. */
export const accountRouter = router({
  me: beforeTwoFactorProcedure.output(meOutput).query(async ({ ctx: { services, person } }) => {
    const user = await readOwnUser(services.db, person.userId);
    return {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      locale: user.locale,
      time_zone: person.timeZone,
      two_factor: user.twoFactor,
      two_factor_required: user.twoFactorRequired,
      has_password: user.hasPassword,
      recovery_codes_left: await countRecoveryCodes(services.db, person.userId),
      permissions: permissionsOf(user.role),
    };
  }),

  update: ownProcedure
    .input(updateMeInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => {
      const { time_zone: timeZone, ...change } = input;
      await updateOwnProfile(services.db, actor, person.userId, {
        ...change,
        ...(timeZone === undefined ? {} : { timeZone }),
      });
      return DONE;
    }),

  changePassword: ownProcedure
    .input(changePasswordInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => {
      await changeOwnPassword(services.db, actor, {
        userId: person.userId,
        sessionId: person.sessionId,
        current: input.current_password,
        next: input.new_password,
      });
      return DONE;
    }),

  /** Confirms the password and code for procedures that require it. */
  confirm: beforeTwoFactorProcedure
    .input(confirmInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person, address }, input: { password = '', code = '' } }) => {
      await confirmIdentity(services, person, { password, code, address });
      return DONE;
    }),

  beginTwoFactor: confirmedBeforeTwoFactorProcedure
    .output(beginTwoFactorOutput)
    .mutation(({ ctx: { services, person } }) =>
      beginTwoFactor(services, { id: person.userId, email: person.email }),
    ),

  enableTwoFactor: beforeTwoFactorProcedure
    .input(codeInput)
    .output(recoveryCodesOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => ({
      recovery_codes: await enableTwoFactor(services, actor, person, input.code),
    })),

  renewRecoveryCodes: ownProcedure
    .input(codeInput)
    .output(recoveryCodesOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => ({
      recovery_codes: await renewRecoveryCodes(services, actor, person, input.code),
    })),

  disableTwoFactor: ownProcedure
    .input(codeInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => {
      await disableTwoFactor(services, actor, person, input.code);
      return DONE;
    }),

  sessions: beforeTwoFactorProcedure.output(sessionsOutput).query(async ({ ctx: { services, person } }) => {
    const sessions = await listSessions(services.db, person.userId);
    return sessions.map((session) => ({
      ...session,
      here: session.id === person.sessionId,
      created_at: session.created_at.toISOString(),
      last_seen_at: session.last_seen_at.toISOString(),
    }));
  }),

  endSession: beforeTwoFactorProcedure
    .input(sessionInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person, actor }, input }) => {
      await endOwnSession(services.db, actor, person.userId, input.id);
      return DONE;
    }),

  endOtherSessions: beforeTwoFactorProcedure
    .output(endedOutput)
    .mutation(async ({ ctx: { services, person, actor } }) => ({
      ended: await endOtherSessions(services.db, actor, person.userId, person.sessionId),
    })),

  /** The tools that may act for the user. */
  consents: ownProcedure.output(consentsOutput).query(async ({ ctx: { services, person } }) => {
    const consents = await listConsents(services.db, person.userId);
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
    .mutation(async ({ ctx: { services, person, actor }, input }) => {
      await withdrawConsent(services.db, actor, { userId: person.userId, clientId: input.client_id });
      return DONE;
    }),
});
