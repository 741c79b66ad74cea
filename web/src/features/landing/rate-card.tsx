import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RateBoard } from '#core/contracts/http/rates';
import { sendCurrencies } from '#core/money/money';
import { ratesQuery } from '../../data/rates.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { formatRateLine } from '../../lib/format/money.ts';
import { paths } from '../../lib/paths.ts';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './rate-card.module.css';

/** Today's rates. */
export function RateCard() {
  return (
    <aside className={classes.card} aria-label={t`Tasa de hoy`} data-testid="home-rates">
      <div className="cq-band" aria-hidden />
      <div className={`${classes.row} cq-weave`} aria-hidden />
      <div className={classes.text}>
        <Text className={classes.quiet}>
          <Trans>Tasa de hoy</Trans>
        </Text>
        <QueryView
          query={useQuery(ratesQuery)}
          loading={<Rates rates={null} />}
          failed={() => (
            <Text fz="lg" mt="sm" className={classes.missing}>
              {failureMessages.rate_unavailable}
            </Text>
          )}
        >
          {({ rates }) => <Rates rates={rates} />}
        </QueryView>
        <Text className={classes.quiet} mt="md">
          <Trans>La comisión se muestra aparte, antes de pagar: nunca va escondida en la tasa.</Trans>
        </Text>
        <Anchor component={Link} to={paths.rateTester} className={classes.link} data-testid="home-compare">
          <Trans>Compara con otros servicios</Trans>
        </Anchor>
      </div>
      <div className={`${classes.row} cq-chevrons`} aria-hidden />
      <div className="cq-band" aria-hidden />
    </aside>
  );
}

function Rates({ rates }: { rates: RateBoard['rates'] | null }) {
  return sendCurrencies.map((currency) => (
    <div key={currency} className={`${classes.rate} cq-big cq-num`}>
      {rates ? (
        formatRateLine(rates[currency].rate, currency)
      ) : (
        <Skeleton component="span" display="inline-block" height="0.75em" width="8em" opacity={0.25} />
      )}
    </div>
  ));
}
