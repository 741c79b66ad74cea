import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldProblemOf, fieldSentences } from './field-problems.ts';
import { authEndpoints } from './http/auth.ts';
import { tooLong } from './text.ts';

test('no two problems of fields have the same sentence', () => {
  const sentences = Object.values(fieldSentences);
  expect(new Set(sentences).size).toBe(sentences.length);
});

describe('the problem of a field', () => {
  const problem = (schema: z.ZodType, value: unknown) => {
    const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0];
    return issue && fieldProblemOf(issue);
  };

  test.each<[string, z.ZodType, unknown, object]>([
    ['a text that is missing', z.string(), undefined, { code: 'required' }],
    ['a number in place of a text', z.string(), 5, { code: 'wrong_type' }],
    ['a text that is too short', z.string().min(3), 'ab', { code: 'too_short', least: 3 }],
    ['a text that is too long', z.string().max(3, tooLong(3)), 'abcd', { code: 'too_long', most: 3 }],
    ['a number that is too small', z.number().min(1), 0, { code: 'too_small', least: 1 }],
    ['a number that is too large', z.number().max(9), 10, { code: 'too_large', most: 9 }],
    ['a list that is too short', z.array(z.string()).min(1), [], { code: 'too_few', least: 1 }],
    ['a list that is too long', z.array(z.string()).max(1), ['a', 'b'], { code: 'too_many', most: 1 }],
    ['a text of another form', z.uuid(), 'x', { code: 'wrong_format' }],
    ['none of the choices', z.enum(['a', 'b']), 'c', { code: 'not_a_choice' }],
    ['something else', z.string().refine(() => false), 'x', { code: 'invalid' }],
  ])('%s has a code and states the requirement', (_, schema, value, expected) => {
    expect(problem(schema, value)).toEqual(expected);
  });

  test('each message of a contract has its own code', () => {
    const { password } = authEndpoints.resetPassword.body.shape;
    expect(problem(password, 'corta')).toEqual({ code: 'password_too_short', least: 8 });
    expect(problem(password, undefined)).toEqual({ code: 'password_required' });
  });
});
