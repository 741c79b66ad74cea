import { Failure } from './failures.ts';
import { type FieldSentenceCode, fieldSentences } from './field-problems.ts';
import type { FailureDetails } from './http/failure-details.ts';
import { refusedFieldSentences } from './refused-fields.ts';

const sentences = { ...fieldSentences, ...refusedFieldSentences };

/** The problems of fields by their dotted paths: in Spanish and as codes. */
export function fieldDetails(wrong: Readonly<Record<string, FieldSentenceCode>>): FailureDetails<'invalid_input'> {
  const entries = Object.entries(wrong);
  return {
    fields: Object.fromEntries(entries.map(([path, code]) => [path, sentences[code]])),
    problems: Object.fromEntries(entries.map(([path, code]) => [path, { code }])),
  };
}

/** Failure for invalid input, with the problem of each field by its dotted path. */
export function invalidInput(wrong: Readonly<Record<string, FieldSentenceCode>>): Failure<'invalid_input'> {
  return new Failure('invalid_input', fieldDetails(wrong));
}
