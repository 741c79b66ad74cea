import { schemaResolver } from '@mantine/form';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { fieldMessage } from './field-messages.ts';
import { ApiFailure } from './http.ts';

type FormErrors = Record<string, ReactNode>;

interface FormOfErrors {
  setErrors(errors: FormErrors): void;
}

/** Checks a form by a contract's schema, as the server will. */
export function checkedBy(schema: z.ZodType): (values: unknown) => FormErrors {
  const resolve = schemaResolver(schema, { sync: true });
  return (values) => translated(resolve(values));
}

const translated = (errors: Readonly<FormErrors>): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field,
      typeof message === 'string' ? fieldMessage(message) : message,
    ]),
  );

/** Shows the server's messages at their fields. Answers whether there were any for this form. */
export function showFieldErrors(form: FormOfErrors, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || Object.keys(error.fields).length === 0) return false;
  form.setErrors(translated(error.fields));
  return true;
}

/** Leads the person to the first field that is wrong. Called when a form refuses to be sent. */
export function focusFirstProblem(event: { currentTarget: HTMLElement } | undefined): void {
  const form = event?.currentTarget;
  // The fields are marked with the next drawing only.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
