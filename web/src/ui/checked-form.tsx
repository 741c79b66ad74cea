import { Stack, Text } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { focusFirstProblem } from '../lib/form-failure.ts';
import { errorMessage } from '../lib/http.ts';

interface Props<Values extends Record<string, unknown>> {
  form: Pick<ReturnType<typeof useForm<Values>>, 'onSubmit'>;
  /** Gets what was typed once every field is right. */
  send: (values: Values) => void;
  children: ReactNode;
  'data-testid'?: string;
}

/** A form whose fields stand below each other; who sends it with a wrong one is led there. */
export function CheckedForm<Values extends Record<string, unknown>>({ form, send, children, ...rest }: Props<Values>) {
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => send(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
      {...rest}
    >
      <Stack>{children}</Stack>
    </form>
  );
}

/** What came of saving something, beside its button: read out as soon as it is known. */
export function Saved({ done, error }: { done: string | null; error: Error | null }) {
  return (
    <>
      <div role="status">
        {done && (
          <Text fz="sm" c="var(--cq-good)">
            {done}
          </Text>
        )}
      </div>
      {error && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {errorMessage(error)}
        </Text>
      )}
    </>
  );
}
