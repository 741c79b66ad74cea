import type { RefObject } from 'react';
import classes from './amount-input.module.css';
import { DecimalInput } from './decimal-input.tsx';
import { amountRule } from './decimal-text.ts';

/** The amount of a transfer or order, in large figures. */
export function AmountInput(props: {
  label: string;
  /** Plain decimal text. */
  value: string;
  onChange: (amount: string) => void;
  error: string | null;
  /** Smallest amount in whole units; a smaller one becomes it when the field is left. */
  min?: number;
  inputRef?: RefObject<HTMLInputElement | null>;
  testid: string;
}) {
  const { min = 0, ...field } = props;
  return (
    <DecimalInput
      {...field}
      rule={amountRule}
      onBlur={() => {
        if (props.value !== '' && Number(props.value) < min) props.onChange(String(min));
      }}
      classNames={{ input: `${classes.amount} cq-big cq-num` }}
    />
  );
}
