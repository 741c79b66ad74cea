import { SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';
import { type SendCurrency, sendCurrencies } from '#core/money/money';

const choices = sendCurrencies.map((value) => ({
  value,
  label: value === 'USD' ? 'Dólares (USD)' : 'Euros (EUR)',
}));

/** The currency of the card that pays. */
export function CurrencyChoice(props: {
  value: SendCurrency;
  onChange: (currency: SendCurrency) => void;
  testid: string;
}) {
  const label = useId();
  return (
    <div>
      <Text fw={500} component="span" id={label}>
        Moneda de tu tarjeta
      </Text>
      <SegmentedControl
        fullWidth
        mt={4}
        size="md"
        aria-labelledby={label}
        data={choices}
        value={props.value}
        onChange={(value) => props.onChange(value as SendCurrency)}
        data-testid={props.testid}
      />
    </div>
  );
}
