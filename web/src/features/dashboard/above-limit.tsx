import { t } from '@lingui/core/macro';
import { Alert, Anchor } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { QuoteView } from '#core/contracts/http/rates';
import { limitsAddress } from '#core/contracts/page-addresses';
import { divide, parseMinor } from '#core/money/money';
import { maximumUsdMinor } from '#core/transfers/limits';
import { useIdentityWaits } from '../../data/identity.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { summaryQuery } from '../../data/transfers.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { fromPayment, limitAbove, nextTierText, reviewedText, seeLimitsText, verifyText } from '../shared/next-tier.ts';

/** Said before it is paid: that the amount is more than this person may send, and with which step it is not. */
export default function AboveLimit({ quote: { amount, maximum } }: { quote: QuoteView }) {
  const summary = useOptionalQuery(summaryQuery);
  // The most of one transfer is worth as much in both currencies.
  const [paid, maximumPaid] = [parseMinor(amount) ?? 0n, parseMinor(maximum) ?? 1n];
  const above = summary ? limitAbove(divide(paid * maximumUsdMinor, maximumPaid, 'down'), summary) : null;
  const waits = useIdentityWaits(Boolean(above?.next));
  if (!above) return null;
  const { broken, next } = above;
  const most = formatAmount(above.most, 'USD');
  const said = {
    amount_too_large: t`Puedes enviar hasta ${most} por envío.`,
    day_limit_reached: t`Puedes enviar ${most} más hoy.`,
    month_limit_reached: t`Puedes enviar ${most} más en 30 días.`,
  }[broken];
  return (
    <Alert color="yellow" mb="sm" icon={<IconShieldCheck aria-hidden />} role="status" data-testid="send-above-limit">
      {said} {next && (waits ? reviewedText() : nextTierText(next, broken))}
      {next && (
        <Anchor
          component={Link}
          to={limitsAddress}
          state={fromPayment}
          display="block"
          mt={4}
          fz="inherit"
          underline="always"
        >
          {waits ? seeLimitsText() : verifyText()}
        </Anchor>
      )}
    </Alert>
  );
}
