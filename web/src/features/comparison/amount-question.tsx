import { SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { AmountInput } from '../../ui/amount-input.tsx';
import classes from './comparison.module.css';
import { comparedAmountProblem } from './comparison-messages.ts';

/** What is compared: an amount and its currency. */
export function AmountQuestion(props: {
  label: string;
  amount: string;
  onAmount: (amount: string) => void;
  currency: SendCurrency;
  onCurrency: (currency: SendCurrency) => void;
  /** The fields' testids begin with it. */
  testid: string;
}) {
  const labelId = useId();
  return (
    <div className={classes.question}>
      <AmountInput
        label={props.label}
        value={props.amount}
        onChange={props.onAmount}
        error={comparedAmountProblem(props.amount)}
        testid={`${props.testid}-amount`}
      />
      <div>
        <Text fw={500} component="span" id={labelId}>
          Moneda
        </Text>
        <SegmentedControl
          fullWidth
          mt={4}
          size="md"
          className={classes.currency}
          aria-labelledby={labelId}
          data={[...sendCurrencies]}
          value={props.currency}
          onChange={(value) => props.onCurrency(value as SendCurrency)}
          data-testid={`${props.testid}-currency`}
        />
      </div>
    </div>
  );
}
