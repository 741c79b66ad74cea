import type { ReactNode } from 'react';
import type { z } from 'zod';
import { type FieldProblem, fieldProblemOf } from '#core/contracts/field-problems';
import { fieldMessage } from './field-messages.ts';
import { ApiFailure } from './http.ts';

type FormErrors = Record<string, ReactNode>;

interface FormOfErrors {
  setErrors(errors: FormErrors): void;
}

/** Checks a form by a contract's schema, as the server will: the first problem of each field. */
export function checkedBy(schema: z.ZodType): (values: unknown) => FormErrors {
  return (values) => {
    const issues = schema.safeParse(values, { reportInput: true }).error?.issues ?? [];
    // Later entries replace earlier ones of the same key.
    return Object.fromEntries(issues.map((issue) => [issue.path.join('.'), issueText(issue)]).reverse());
  };
}

function issueText(issue: z.core.$ZodIssue): string {
  const problem = fieldProblemOf(issue);
  // What a form asks beyond the contract, it says itself.
  return problem.code === 'invalid' ? issue.message : fieldMessage(problem);
}

/** What the server found wrong with a field, or null. */
export function refusedField(error: unknown, field: string): string | null {
  const problem = error instanceof ApiFailure ? error.problems[field] : undefined;
  return problem ? fieldMessage(problem) : null;
}

/** Shows what the server found wrong at the fields. Answers whether there was anything for this form. */
export function showFieldErrors(form: FormOfErrors, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || Object.keys(error.problems).length === 0) return false;
  const said = ([field, problem]: [string, FieldProblem]) => [field, fieldMessage(problem)] as const;
  form.setErrors(Object.fromEntries(Object.entries(error.problems).map(said)));
  return true;
}

/** Leads the person to the first field that is wrong. Called when a form refuses to be sent. */
export function focusFirstProblem(event: { currentTarget: HTMLElement } | undefined): void {
  const form = event?.currentTarget;
  // The fields are marked by the next render only.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
