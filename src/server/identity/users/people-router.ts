import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { resetTwoFactor } from '../sessions/two-factor-service';
import {
  createdUserOutput,
  createUserInput,
  peopleOutput,
  resetPasswordOutput,
  updateUserInput,
  userInput,
  userOutput,
} from './people-schema';
import { createUser, resetPassword, setUserActive, updateUser } from './service';
import { listUsers, type UserView } from './view-service';

const readProcedure = userProcedure('users.read');
const writeProcedure = userProcedure('users.write');
/** For everything that grants access or more rights. */
const confirmedWriteProcedure = userProcedure('users.write', { requiresConfirmation: true });

function toOutput(user: UserView) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    locale: user.locale,
    active: user.active,
    two_factor: user.hasTwoFactor,
    two_factor_required: user.twoFactorRequired,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  };
}

/** The users of the back office, for the users who manage them. */
export const peopleRouter = router({
  list: readProcedure
    .output(peopleOutput)
    .query(async ({ ctx: { services } }) => (await listUsers(services.db)).map(toOutput)),

  create: confirmedWriteProcedure
    .input(createUserInput)
    .output(createdUserOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const newUser = await createUser(services.db, actor, input);
      return { ...toOutput(newUser), password: newUser.password };
    }),

  update: confirmedWriteProcedure
    .input(updateUserInput)
    .output(userOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, two_factor_required: twoFactorRequired, ...change } = input;
      return toOutput(await updateUser(services.db, actor, id, { ...change, twoFactorRequired }));
    }),

  deactivate: writeProcedure
    .input(userInput)
    .output(userOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setUserActive(services.db, actor, input, false)),
    ),

  reactivate: confirmedWriteProcedure
    .input(userInput)
    .output(userOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setUserActive(services.db, actor, input, true)),
    ),

  /** Always generates the new password, so that the administrator cannot choose it. */
  resetPassword: confirmedWriteProcedure
    .input(userInput)
    .output(resetPasswordOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { email, password } = await resetPassword(services.db, actor, input);
      return { email, password: password! };
    }),

  resetTwoFactor: confirmedWriteProcedure
    .input(userInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await resetTwoFactor(services.db, actor, input);
      return { done: true as const };
    }),
});
