import type { z } from 'zod';
import { ProblemList, type ReportProblem } from '../core/errors/problem-list';
import { createReason, problemAt } from '../core/errors/reason';
import { replaceParser } from './documented-input';
import { addIssues } from './public-error';

/**
 * Returns a schema that refuses a body with the schema's problems together with those of the members that are only stored. Its parser
 * throws ServiceError `validation_failed`.
 *
 * @param findProblems reports the problems of the members that are only stored
 */
export function storedMembersInput<Schema extends z.ZodObject>(
  schema: Schema,
  findProblems: (body: Record<string, unknown>, report: ReportProblem) => void,
): Schema {
  return replaceParser(schema, async (body) => {
    const problems = new ProblemList();
    const parseResult = await schema.safeParseAsync(body);
    if (!parseResult.success) addIssues(problems, parseResult.error.issues);
    if (typeof body === 'object' && body !== null && Object.hasOwn(body, '__proto__'))
      problems.add(() => problemAt('__proto__', createReason('body.badName')));
    if (typeof body === 'object' && body !== null)
      findProblems(body as Record<string, unknown>, (createProblem) => problems.add(createProblem));
    problems.throwIfAny();
    return parseResult.data;
  });
}
