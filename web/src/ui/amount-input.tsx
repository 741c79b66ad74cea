import { NumberInput } from '@mantine/core';
import type { RefObject } from 'react';
import classes from './amount-input.module.css';
import { acceptDecimalPoint } from './decimal-text.ts';

/** Digits of whole units the field takes: more than anybody may send. */
const wholeDigitsMax = 6;

/** An amount with a decimal comma for the eye; the value is a plain decimal text ("99.5") and never becomes a float. */
export function AmountInput(props: {
  label: string;
  value: string;
  onChange: (amount: string) => void;
  error: string | null;
  /** Smallest amount in whole units; a smaller one becomes it when the field is left. */
  min?: number;
  inputRef?: RefObject<HTMLInputElement | null>;
  testid: string;
}) {
  return (
    <NumberInput
      onChangeCapture={acceptDecimalPoint}
      label={props.label}
      {...(props.inputRef && { ref: props.inputRef })}
      value={props.value}
      onBlur={() => {
        if (props.value !== '' && Number(props.value) < (props.min ?? 0)) props.onChange(String(props.min));
      }}
      valueIsNumericString
      onValueChange={({ value }) => props.onChange(value)}
      isAllowed={({ value }) => (value.split('.')[0]?.length ?? 0) <= wholeDigitsMax}
      decimalScale={2}
      decimalSeparator=","
      allowedDecimalSeparators={[',', '.']}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      autoComplete="off"
      error={props.error}
      classNames={{ input: `${classes.amount} cq-big cq-num` }}
      data-testid={props.testid}
    />
  );
}
