import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, List, RollingNumber, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RateBoard, RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';
import { ratesQuery } from '../../data/rates.ts';
import { ageText, formatMoment } from '../../lib/format/dates.ts';
import { bolivianosUnit } from '../../lib/format/money.ts';
import { separators } from '../../lib/format/numbers.ts';
import { useNow } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './rates.module.css';

/** The market is asked every two hours; one round may fail. */
const unusualAgeMs = 4.5 * 3_600_000;

const benefits = () => [
  t`Llega al siguiente día hábil`,
  t`Una sola comisión, siempre a la vista`,
  t`Ayuda en español, 24/7`,
];

/** Today's rates, how old they are, and what comes with them. The digits roll when a rate moves. */
export function RateBanner() {
  return (
    <Card className={classes.banner} data-testid="rate-banner">
      <QueryView query={useQuery(ratesQuery)} loading={<Rates data={null} />}>
        {(data) => <Rates data={data} />}
      </QueryView>
      <div className={`${classes.ornament} cq-weave`} aria-hidden />
    </Card>
  );
}

function Rates({ data }: { data: RateBoard | null }) {
  const updated = data && formatMoment(data.lastUpdated);
  return (
    <Stack gap="sm">
      <Text className={classes.quiet}>
        <Trans>Tasa actual</Trans>
      </Text>
      <RateFigure currency="USD" rate={data?.rates.USD} />
      <RateFigure currency="EUR" rate={data?.rates.EUR} />
      {data && <Paused rates={Object.values(data.rates)} />}
      <Text className={classes.quiet} fz="sm" mih="1.4em">
        {updated && <Trans>Actualizada el {updated}</Trans>}
      </Text>
      {data && <MarketAge rates={Object.values(data.rates)} />}
      <List
        spacing={4}
        icon={<IconCircleCheck size={20} stroke={1.8} className={classes.tick} aria-hidden />}
        classNames={{ itemWrapper: classes.item }}
      >
        {benefits().map((benefit) => (
          <List.Item key={benefit}>{benefit}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Which currencies nobody can pay in now; why stands beside the button that cannot be pressed. */
function Paused({ rates }: { rates: readonly RateView[] }) {
  return rates
    .filter(({ paused }) => paused)
    .map(({ currency }) => (
      <Group key={currency} gap={8} wrap="nowrap" className={classes.paused} data-testid={`rate-paused-${currency}`}>
        <IconPlayerPause size={20} stroke={1.8} aria-hidden />
        <Text fw={600}>
          <Trans>Envíos en {currency} en pausa</Trans>
        </Text>
      </Group>
    ));
}

/** How old the market's last word is, when that is older than usual. */
function MarketAge({ rates }: { rates: readonly RateView[] }) {
  const now = useNow();
  const seen = rates.flatMap(({ marketSeenAt }) => marketSeenAt ?? []).sort();
  const newest = seen.at(-1);
  if (newest === undefined || now - Date.parse(newest) < unusualAgeMs) return null;
  const age = ageText(newest, now);
  return (
    <Text className={classes.quiet} fz="sm" data-testid="market-age">
      <Trans>Última referencia del mercado: {age}</Trans>
    </Text>
  );
}

function RateFigure({ currency, rate }: { currency: SendCurrency; rate: RateView | undefined }) {
  if (!rate) return <Skeleton height={34} my={4} width={210} />;
  const decimals = rate.rate.split('.')[1]?.length ?? 2;
  const separator = separators();
  return (
    <Group gap={8} className={`${classes.rate} cq-big cq-num`} data-testid={`rate-${currency}`} data-rate={rate.rate}>
      <span>1 {currency} =</span>
      {/* For the eye only: no money is computed from this number. */}
      <RollingNumber
        value={Number(rate.rate)}
        decimalScale={decimals}
        fixedDecimalScale
        decimalSeparator={separator.decimals}
        thousandSeparator={separator.thousands}
        animationDuration={250}
        withLiveRegion
      />
      <span>{bolivianosUnit()}</span>
    </Group>
  );
}
