import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { type RefObject, useId, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import type { QuoteQuestion } from '../../data/rates.ts';
import { firstAmount, useUsualCurrency } from '../../lib/usual-currency.ts';
import { AmountInput } from '../../ui/decimal-input.tsx';
import classes from './sending-amount.module.css';
import { CurrencyChoice } from './sending-inputs.tsx';

/** The question of a page without a draft: a hundred in the usual currency at first. */
export function useQuestion(): [Required<QuoteQuestion>, (question: QuoteQuestion) => void] {
  const [typed, setTyped] = useState<Partial<QuoteQuestion>>({});
  const usual = useUsualCurrency();
  return [{ amount: firstAmount, currency: usual, side: 'pay', ...typed }, setTyped];
}

/**
 * What somebody wants to send, everywhere asked for the same way: an amount that the card pays, or the bolivianos that have to
 * arrive, and the card's currency.
 */
export function SendingAmount(props: {
  question: QuoteQuestion;
  onChange: (question: QuoteQuestion) => void;
  /** The answer to `question`, by whose figures the sides change places; without it only what is paid can be asked. */
  quote?: QuoteView | null;
  payLabel: string;
  problem: string | null;
  /** Smallest amount to pay in whole units: a smaller one becomes it when the field is left. */
  min?: number;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** The currencies beside the amount by their codes, or below it by their names. */
  layout: 'beside' | 'below';
  /** The fields' testids begin with it. */
  testid: string;
}) {
  const { question, onChange, quote, problem, inputRef, testid } = props;
  const { amount, currency, side = 'pay' } = question;
  const receives = side === 'receive';
  const input = (
    <AmountInput
      label={
        !receives ? props.payLabel : props.layout === 'below' ? t`Bolivianos que deben llegar` : t`Deben llegar (Bs)`
      }
      value={amount}
      onChange={(next) => onChange({ ...question, amount: next })}
      error={problem}
      {...(props.min !== undefined && !receives && { min: props.min })}
      {...(inputRef && { inputRef })}
      testid={`${testid}-${receives ? 'receive' : 'amount'}`}
    />
  );
  // Until the quote is there, changing the side would lose the amount.
  const awaitsQuote = amount !== '' && !problem && !quote;
  const otherSide = quote !== undefined && (
    <Anchor
      component="button"
      type="button"
      fz="sm"
      mt={4}
      aria-disabled={awaitsQuote}
      onClick={() =>
        !awaitsQuote &&
        onChange(
          receives
            ? { currency, amount: quote?.amount ?? '', side: 'pay' }
            : { currency, amount: quote?.bs ?? '', side: 'receive' },
        )
      }
      data-testid={`${testid}-side`}
    >
      {receives ? t`Escribir lo que pago` : t`¿Debe llegar un monto exacto?`}
    </Anchor>
  );
  const choose = (next: SendCurrency) => onChange({ ...question, currency: next });
  if (props.layout === 'below')
    return (
      <>
        <div>
          {input}
          {otherSide}
        </div>
        <CurrencyChoice value={currency} onChange={choose} testid={`${testid}-currency`} />
      </>
    );
  return (
    <div>
      <div className={classes.beside}>
        {input}
        <CurrencyCodes value={currency} onChange={choose} testid={`${testid}-currency`} />
      </div>
      {otherSide}
    </div>
  );
}

/** As tall as the amount beside it. */
function CurrencyCodes(props: { value: SendCurrency; onChange: (currency: SendCurrency) => void; testid: string }) {
  const label = useId();
  return (
    <div>
      <Text fw={500} component="span" id={label}>
        <Trans>Moneda</Trans>
      </Text>
      <SegmentedControl
        fullWidth
        size="md"
        className={classes.codes}
        aria-labelledby={label}
        data={[...sendCurrencies]}
        value={props.value}
        onChange={(value) => props.onChange(value as SendCurrency)}
        data-testid={props.testid}
      />
    </div>
  );
}
