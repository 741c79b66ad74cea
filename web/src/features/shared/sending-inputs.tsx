import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { lazy, useId } from 'react';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { LazyPart } from '../../ui/lazy-part.tsx';

/** Asked for with the first transfer only. */
const ThreePartDate = lazy(async () => ({ default: (await import('../../ui/three-part-date.tsx')).ThreePartDate }));

const choices = () =>
  sendCurrencies.map((value) => ({ value, label: value === 'USD' ? t`Dólares (USD)` : t`Euros (EUR)` }));

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
        <Trans>Moneda de tu tarjeta</Trans>
      </Text>
      <SegmentedControl
        fullWidth
        mt={4}
        size="md"
        aria-labelledby={label}
        data={choices()}
        value={props.value}
        onChange={(value) => props.onChange(value as SendCurrency)}
        data-testid={props.testid}
      />
    </div>
  );
}

/** Asks for the sender's date of birth, which the server wants with the first transfer. */
export function BirthDateInput(props: {
  value: string;
  onChange: (birthDate: string) => void;
  error: string | null;
  testid: string;
}) {
  return (
    <LazyPart pending={<Skeleton height={116} />}>
      <ThreePartDate
        label={t`Tu fecha de nacimiento`}
        description={t`La pedimos una sola vez, con tu primer envío.`}
        {...props}
      />
    </LazyPart>
  );
}
