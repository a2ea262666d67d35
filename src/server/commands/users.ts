import { type Command, Option } from 'commander';
import { nameSchema } from '../core/fields';
import { emailSchema, passwordSchema, type Role, roleSchema } from '../identity/schema';
import { createUser, resetPassword } from '../identity/user-service';
import { withServices } from './open';
import { checked, command, jsonCommand, sentence } from './options';
import { answer, CommandError } from './output';

interface PasswordOptions {
  passwordStdin?: boolean;
  json?: boolean;
}

/** A password comes neither as an option, which other users of the machine see, nor from the environment. */
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
  throw new CommandError(`--password-stdin: ${sentence('the password', result.error)}`);
}

/** The lines that show a generated password; none where it was given. */
function passwordLines(password: string | null): string[] {
  return password === null ? [] : ['Keep the password; it is not shown again.', '', `  ${password}`];
}

async function create(
  options: PasswordOptions & { email: string; role: Role; name?: string },
): Promise<void> {
  const password = await readPassword(options);
  const { email, role, name } = options;
  const user = await withServices(({ services, actor }) =>
    createUser(services.db, actor, { email, role, name, password }),
  );
  const made = `User ${user.id} ${user.email} is made, with the role ${user.role}.`;
  const { id, password: generated } = user;
  await answer(
    options,
    { id, email: user.email, name: user.name, role: user.role, password: generated },
    [made, ...passwordLines(generated)].join('\n'),
  );
}

async function reset(options: PasswordOptions & { email: string }): Promise<void> {
  const password = await readPassword(options);
  const user = await withServices(({ services, actor }) =>
    resetPassword(services.db, actor, { email: options.email, password }),
  );
  await answer(
    options,
    user,
    [`${user.email} has a new password.`, ...passwordLines(user.password)].join('\n'),
  );
}

/** `user`: the people who sign in to the back office. */
export function addUserCommands(program: Command): void {
  const group = command(program, 'user', 'people who sign in to the back office', 'user create --help');
  const stdin = 'read the password from the first line of stdin; without it one is generated and shown once';
  jsonCommand(
    group,
    'create',
    'make a person who may sign in',
    'user create --email ann@example.com --role operator',
  )
    .requiredOption('--email <email>', 'e-mail address to sign in with', checked(emailSchema))
    .addOption(
      new Option('--role <role>', 'what the person may do').choices(roleSchema.options).makeOptionMandatory(),
    )
    .option('--name <name>', 'name; the first part of the e-mail address by default', checked(nameSchema))
    .option('--password-stdin', stdin)
    .action(create);
  jsonCommand(
    group,
    'reset-password',
    'give a person a new password',
    'user reset-password --email ann@example.com',
  )
    .requiredOption('--email <email>', "the person's e-mail address", checked(emailSchema))
    .option('--password-stdin', stdin)
    .action(reset);
}
