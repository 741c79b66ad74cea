import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SendCurrency } from '#core/money/money';
import { rateDigits } from '#core/rates/rate';
import { DecimalInput } from '../../ui/decimal-input.tsx';
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
    <DecimalInput
      label="Tasa de cambio"
      value={props.value}
      onChange={props.onChange}
      rule={{ kind: 'rate', wholeDigits: 3, decimals: rateDigits }}
      leftSection={<span className={`${classes.rateSide} cq-num`}>1 {props.currency} =</span>}
      leftSectionWidth={84}
      rightSection={
        <>
          <span className="cq-num">Bs</span>
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
        </>
      }
      rightSectionWidth={76}
      classNames={{ input: 'cq-num' }}
      wrapperProps={mark}
      {...mark}
      testid="calculator-rate"
    />
  );
}
