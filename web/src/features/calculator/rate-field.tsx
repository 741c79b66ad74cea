import { ActionIcon, NumberInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SendCurrency } from '#core/money/money';
import { rateDigits } from '#core/rates/rate';
import { acceptDecimalPoint } from '../../ui/decimal-text.ts';
import classes from './calculator.module.css';

/** The rate: the server's until somebody types another one to try it out; the arrows bring the server's again. */
export function RateField(props: {
  currency: SendCurrency;
  /** Decimal text, empty while no rate is known. */
  value: string;
  onChange: (rate: string) => void;
  /** The server's rate. */
  inForce: string | null;
  onRefresh: () => unknown;
  refreshing: boolean;
}) {
  const mark = { 'data-rate': props.inForce ?? '' };
  return (
    <NumberInput
      onChangeCapture={acceptDecimalPoint}
      label="Tasa de cambio"
      value={props.value}
      valueIsNumericString
      onValueChange={({ value }, { source }) => {
        // The component also reports values that came from here.
        if (source === 'event') props.onChange(value);
      }}
      isAllowed={({ value }) => (value.split('.')[0]?.length ?? 0) <= 3}
      decimalScale={rateDigits}
      decimalSeparator=","
      allowedDecimalSeparators={[',', '.']}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      autoComplete="off"
      leftSection={<span className={`${classes.rateSide} cq-num`}>1 {props.currency} =</span>}
      leftSectionWidth={84}
      rightSection={
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label="Actualizar la tasa"
          onClick={() => props.onRefresh()}
          loading={props.refreshing}
          data-testid="calculator-refresh"
        >
          <IconRefresh size={20} aria-hidden />
        </ActionIcon>
      }
      rightSectionWidth={48}
      suffix=" Bs"
      classNames={{ input: 'cq-num' }}
      wrapperProps={mark}
      {...mark}
      data-testid="calculator-rate"
    />
  );
}
