import { ApiFailure } from './http.ts';

interface FormErrors {
  setErrors(errors: Record<string, string>): void;
}

/** Shows the server's sentences at their fields. Answers whether there were any for this form. */
export function showFieldErrors(form: FormErrors, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || Object.keys(error.fields).length === 0) return false;
  form.setErrors({ ...error.fields });
  return true;
}
