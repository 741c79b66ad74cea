import { ApiFailure } from './http.ts';

interface FormErrors {
  setErrors(errors: Record<string, string>): void;
}

/** Shows the server's messages at their fields. Answers whether there were any for this form. */
export function showFieldErrors(form: FormErrors, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || Object.keys(error.fields).length === 0) return false;
  form.setErrors({ ...error.fields });
  return true;
}

/** Leads the person to the first field that is wrong. Called when a form refuses to be sent. */
export function focusFirstProblem(event: { currentTarget: HTMLElement } | undefined): void {
  const form = event?.currentTarget;
  // The fields are marked with the next drawing only.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
