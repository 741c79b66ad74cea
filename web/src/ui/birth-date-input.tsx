import { TextInput } from '@mantine/core';

/** Asks for the sender's date of birth, which the server wants with the first transfer. */
export function BirthDateInput(props: {
  value: string;
  onChange: (birthDate: string) => void;
  error: string | null;
  label?: string;
  description?: string;
  testid: string;
}) {
  return (
    <TextInput
      type="date"
      label={props.label ?? 'Tu fecha de nacimiento'}
      description={props.description ?? 'La pedimos una sola vez, con tu primer envío.'}
      required
      autoComplete="bday"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      error={props.error}
      data-testid={props.testid}
    />
  );
}
