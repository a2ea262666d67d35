import { type Command, Option } from 'commander';
import { nameSchema } from '../core/fields';
import { emailSchema, passwordSchema, type Role, roleSchema } from '../identity/schema';
import { resetTwoFactor } from '../identity/sessions/two-factor-service';
import { createPersonalToken } from '../identity/tokens/personal-token-service';
import { tokenLifetimeSchema } from '../identity/tokens/schema';
import { createUser, resetPassword, setUserActive } from '../identity/users/service';
import { findUserByEmail, listUsers, type UserView } from '../identity/users/view-service';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand, createParser, describeIssues } from './options';
import { CommandError, formatTable, printable, printResult, shortTime } from './output';

interface PasswordOptions {
  passwordStdin?: boolean;
  json?: boolean;
}

/**
 * Reads the password from stdin, or returns undefined without --password-stdin. No option takes a password, because other users of
 * the machine can see options. They may see the environment, too.
 */
async function readPassword(options: PasswordOptions): Promise<string | undefined> {
  if (!options.passwordStdin) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    if (Buffer.from(chunk).includes(10)) break;
  }
  const line = Buffer.concat(chunks).toString('utf8').split('\n')[0]!.replace(/\r$/, '');
  const result = passwordSchema.safeParse(line);
  if (result.success) return result.data;
  throw new CommandError(`--password-stdin: ${describeIssues('the password', result.error)}`);
}

/** Returns the lines that show a generated password; none for null, when no password was generated. */
function passwordLines(password: string | null): string[] {
  return password === null ? [] : ['Keep the password; it is not shown again.', '', `  ${password}`];
}

async function addUser(
  options: PasswordOptions & { email: string; role: Role; name?: string },
): Promise<void> {
  const password = await readPassword(options);
  const { email, role, name } = options;
  const user = await withMigratedDatabase(({ db, actor }) =>
    createUser(db, actor, { email, role, name, password }),
  );
  const summary = `Created user ${user.id} ${user.email} with the role ${user.role}.`;
  const { id, password: generatedPassword } = user;
  await printResult(
    options,
    { id, email: user.email, name: user.name, role: user.role, password: generatedPassword },
    [summary, ...passwordLines(generatedPassword)].join('\n'),
  );
}

async function setNewPassword(options: PasswordOptions & { email: string }): Promise<void> {
  const password = await readPassword(options);
  const user = await withMigratedDatabase(({ db, actor }) =>
    resetPassword(db, actor, { email: options.email, password }),
  );
  await printResult(
    options,
    user,
    [`${user.email} has a new password.`, ...passwordLines(user.password)].join('\n'),
  );
}

const toJson = (user: UserView) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  state: user.active ? 'active' : 'deactivated',
  two_factor: user.hasTwoFactor,
  two_factor_required: user.twoFactorRequired,
  created_at: user.createdAt.toISOString(),
  last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
});

async function printUsers(options: { json?: boolean }): Promise<void> {
  const users = await withExistingDatabase(({ db }) => listUsers(db));
  const rows = users.map((user) => [
    String(user.id),
    user.email,
    user.name,
    user.role,
    user.active ? 'active' : 'deactivated',
    user.hasTwoFactor ? 'on' : 'off',
    shortTime(user.lastSignInAt),
  ]);
  const columnNames = ['ID', 'E-MAIL', 'NAME', 'ROLE', 'STATE', 'TWO-FACTOR', 'LAST SIGN-IN'];
  await printResult(
    options,
    users.map(toJson),
    rows.length === 0
      ? 'There are no users yet. Create one with "user create".'
      : formatTable(columnNames, rows),
  );
}

/** Creates the action of the command `reactivate` or, if `active` is false, `deactivate`. */
function createSetActiveAction(active: boolean) {
  return async (options: { email: string; json?: boolean }): Promise<void> => {
    const user = await withMigratedDatabase(({ db, actor }) =>
      setUserActive(db, actor, { email: options.email }, active),
    );
    const outcome = active ? 'may sign in again' : 'is deactivated and refused from the next request on';
    await printResult(options, toJson(user), `${user.email} ${outcome}.`);
  };
}

async function resetSecondFactor(options: { email: string; json?: boolean }): Promise<void> {
  const { email } = options;
  await withMigratedDatabase(({ db, actor }) => resetTwoFactor(db, actor, { email }));
  await printResult(
    options,
    { email, two_factor: false },
    `${email} signs in without a second factor until a new one is set up.`,
  );
}

async function createToken(options: {
  email: string;
  name: string;
  expires: number;
  json?: boolean;
}): Promise<void> {
  const createdToken = await withMigratedDatabase(async ({ db, actor }) => {
    const user = await findUserByEmail(db, options.email);
    const expiresAt = new Date(Date.now() + options.expires);
    return createPersonalToken(db, actor, { userId: user.id, name: options.name, expiresAt });
  });
  const { id, token, expiresAt } = createdToken;
  await printResult(
    options,
    { id, name: options.name, token, expires_at: expiresAt.toISOString() },
    [
      `Created token ${id} "${printable(options.name)}" for ${options.email}. Keep it; it is not shown again.`,
      '',
      `  ${token}`,
      '',
      `It expires ${shortTime(expiresAt)}.`,
    ].join('\n'),
  );
}

/** `token`: personal access tokens, which are bearer tokens for GET /api/user. */
export function addTokenCommands(program: Command): void {
  const example = 'token create --email ann@example.com --name "Nightly script" --expires 90d';
  const group = addCommand(program, 'token', "people's access tokens for their scripts", example);
  addJsonCommand(group, 'create', 'create a token for a user; it is shown once', example)
    .requiredOption('--email <email>', "the user's e-mail address", createParser(emailSchema))
    .requiredOption('--name <name>', 'what it is for', createParser(nameSchema))
    .requiredOption(
      '--expires <span>',
      'when it expires: 90d, 12h, 30m or 2w from now; at most 366d',
      createParser(tokenLifetimeSchema),
    )
    .action(createToken);
}

/** `user`: the users of the back office. */
export function addUserCommands(program: Command): void {
  const group = addCommand(program, 'user', 'people who sign in to the back office', 'user create --help');
  const passwordStdinHelp =
    'read the password from the first line of stdin; without it one is generated and shown once';
  addJsonCommand(
    group,
    'create',
    'create a user who may sign in',
    'user create --email ann@example.com --role operator',
  )
    .requiredOption('--email <email>', 'e-mail address to sign in with', createParser(emailSchema))
    .addOption(
      new Option('--role <role>', 'what the user may do').choices(roleSchema.options).makeOptionMandatory(),
    )
    .option(
      '--name <name>',
      'name; the first part of the e-mail address by default',
      createParser(nameSchema),
    )
    .option('--password-stdin', passwordStdinHelp)
    .action(addUser);
  addJsonCommand(
    group,
    'reset-password',
    'set a new password for a user',
    'user reset-password --email ann@example.com',
  )
    .requiredOption('--email <email>', "the user's e-mail address", createParser(emailSchema))
    .option('--password-stdin', passwordStdinHelp)
    .action(setNewPassword);
  addJsonCommand(group, 'list', 'list the users, active ones first', 'user list --json').action(printUsers);
  const emailOption = ['--email <email>', "the user's e-mail address", createParser(emailSchema)] as const;
  const deactivateExample = 'user deactivate --email ann@example.com';
  addJsonCommand(group, 'deactivate', 'deactivate a user, from the next request on', deactivateExample)
    .requiredOption(...emailOption)
    .action(createSetActiveAction(false));
  const reactivateExample = 'user reactivate --email ann@example.com';
  addJsonCommand(group, 'reactivate', 'let a deactivated user sign in again', reactivateExample)
    .requiredOption(...emailOption)
    .action(createSetActiveAction(true));
  const resetExample = 'user reset-2fa --email ann@example.com';
  addJsonCommand(group, 'reset-2fa', 'remove the second factor of a user who lost it', resetExample)
    .requiredOption(...emailOption)
    .action(resetSecondFactor);
}
