import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { sentenceOfIssue } from '../core/errors/issue-sentence';

/** How to call commands, as the help shows it. */
export const CLI_COMMAND = 'npm run -s cli --';

/** Returns a schema's issues as a sentence about `subject`. */
export function describeIssues(subject: string, { issues }: z.ZodError): string {
  const text = [...new Set(issues.map(sentenceOfIssue))].join('; ');
  return /^\p{Lowercase}/u.test(text) ? `${subject} ${text}.` : `${text}.`;
}

/** Creates a parser for an option or argument; commander puts the option's name before the error message. */
export function createParser<Output>(schema: z.ZodType<Output, string>): (text: string) => Output {
  return (text) => {
    const result = schema.safeParse(text);
    if (result.success) return result.data;
    throw new InvalidArgumentError(describeIssues('It', result.error));
  };
}

/** Adds a command with a one-line description and an example, which --help shows. */
export function addCommand(parent: Command, usage: string, description: string, example: string): Command {
  const command = parent.command(usage).description(description);
  return command.addHelpText('after', `\nExample:\n  ${CLI_COMMAND} ${example}`);
}

/** Like {@link addCommand}, with --json. */
export function addJsonCommand(...parameters: Parameters<typeof addCommand>): Command {
  return addCommand(...parameters).option('--json', 'print one JSON document instead of text');
}

/** Like {@link createParser}, for an option that can be repeated. */
export function createRepeatableParser<Output>(
  schema: z.ZodType<Output, string>,
): (text: string, previous: readonly Output[]) => Output[] {
  return (text, previous) => [...previous, createParser(schema)(text)];
}
