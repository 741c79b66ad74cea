import { Card, Group, List, RollingNumber, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money';
import { formatMoment } from '../../lib/dates.ts';
import { sentenceOf } from '../../lib/http.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { LoadError } from '../../ui/states.tsx';
import classes from './rate-banner.module.css';

const benefits = ['Llega al siguiente día hábil', 'Una sola comisión, siempre a la vista', 'Ayuda en español, 24/7'];

/** Today's rates, how old they are, and what comes with them. The digits roll when a rate moves. */
export function RateBanner() {
  const { data, error, refetch } = useQuery(ratesQuery);
  return (
    <Card className={classes.banner} data-testid="rate-banner">
      {error && !data ? (
        <LoadError sentence={sentenceOf(error)} retry={refetch} />
      ) : (
        <Stack gap="sm">
          <Text className={classes.quiet}>Tasa actual</Text>
          <RateFigure currency="USD" rate={data?.rates.USD} />
          <RateFigure currency="EUR" rate={data?.rates.EUR} />
          <Text className={classes.quiet} fz="sm" mih="1.4em">
            {data && `Actualizada el ${formatMoment(data.lastUpdated)}`}
          </Text>
          <List
            spacing={4}
            icon={<IconCircleCheck size={20} stroke={1.8} className={classes.tick} aria-hidden />}
            classNames={{ itemWrapper: classes.item }}
          >
            {benefits.map((benefit) => (
              <List.Item key={benefit}>{benefit}</List.Item>
            ))}
          </List>
        </Stack>
      )}
      <div className={`${classes.ornament} cq-weave`} aria-hidden />
    </Card>
  );
}

function RateFigure({ currency, rate }: { currency: SendCurrency; rate: RateView | undefined }) {
  if (!rate) return <Skeleton height={34} my={4} width={210} />;
  const decimals = rate.rate.split('.')[1]?.length ?? 2;
  return (
    <Group
      gap={8}
      className={`${classes.rate} cq-big cq-num`}
      wrap="nowrap"
      data-testid={`rate-${currency}`}
      data-rate={rate.rate}
    >
      <span>1 {currency} =</span>
      {/* For the eye only: no money is computed from this number. */}
      <RollingNumber
        value={Number(rate.rate)}
        decimalScale={decimals}
        fixedDecimalScale
        decimalSeparator=","
        thousandSeparator="."
        animationDuration={250}
        withLiveRegion
      />
      <span>Bs</span>
    </Group>
  );
}
