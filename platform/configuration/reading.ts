import type { z } from 'zod';
import { ConfigurationError, type Variables } from './configuration-error.ts';
import { findModeProblems } from './mode-rule.ts';
import { findForeignSecrets, type Server } from './secrets.ts';

/**
 * Reads the variables of one process by its schema. A server must not have the secrets of others. An empty variable
 * counts as absent, since compose files and shells write it that way.
 * @throws ConfigurationError naming every variable that is missing, invalid, or not allowed together with the others.
 */
export function readVariables<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  source: Variables,
  server?: Server,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map((issue) => {
    const variable = issue.path.join('.');
    const isMissing = issue.code === 'invalid_type' && given[variable] === undefined;
    return { variable, reason: isMissing ? 'is missing' : reasonOf(issue.message) };
  });
  const named = new Set(wrong.map(({ variable }) => variable));
  const refused = [
    ...findModeProblems(given, Object.keys(schema.shape)),
    ...(server ? findForeignSecrets(server, given) : []),
  ].filter(({ variable }) => !named.has(variable));
  const problems = [...wrong, ...refused];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigurationError(problems.map(({ variable, reason }) => `${variable} ${reason}`));
  }
  return parsed.data;
}

/** Our own messages are ends of a sentence, the library's are not. */
function reasonOf(message: string): string {
  return message.startsWith('must ') ? message : `is not valid: ${message}`;
}
