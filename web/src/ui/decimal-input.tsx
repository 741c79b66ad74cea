import { TextInput, type TextInputProps } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { formatDecimal } from '../lib/format/numbers.ts';
import { type DecimalRule, readDecimal } from './decimal-text.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'ref'> {
  /** Plain decimal text ("99.5"), empty while nothing is entered; it never becomes a float. */
  value: string;
  onChange: (value: string) => void;
  rule: DecimalRule;
  inputRef?: RefObject<HTMLInputElement | null>;
  testid: string;
}

/** A field for a decimal number: takes it as people write it, and shows it with the language's decimal sign once they go on. */
export function DecimalInput({ value, onChange, rule, inputRef, onBlur, testid, ...field }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      {...field}
      {...(inputRef && { ref: inputRef })}
      // What was typed stays as it is, until the value changes from elsewhere.
      value={typed !== '' && readDecimal(typed, rule) === value ? typed : formatDecimal(value)}
      onChange={({ currentTarget }) => {
        const next = readDecimal(currentTarget.value, rule);
        // What is no number never gets into the field.
        if (next === null) return;
        setTyped(currentTarget.value);
        if (next !== value) onChange(next);
      }}
      onBlur={(event) => {
        setTyped('');
        onBlur?.(event);
      }}
      inputMode="decimal"
      autoComplete="off"
      data-testid={testid}
    />
  );
}
