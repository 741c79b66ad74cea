import { Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { formatAmount } from '#core/money/format';
import { cryptoOrdersQuery } from '../../data/crypto-orders.ts';
import { formatMoment } from '../../lib/dates.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import classes from './crypto.module.css';
import { amountOf, statusVariants } from './crypto-labels.ts';

/** The person's purchases, newest first, each with its status as it is now. */
export function OrderList() {
  const orders = useInfiniteQuery(cryptoOrdersQuery);
  return (
    <section aria-labelledby="crypto-orders-title">
      <Stack gap="sm">
        <Title order={2} id="crypto-orders-title" fz="h3">
          Tus compras
        </Title>
        <PagedListView
          query={orders}
          loading={<LoadingRows rows={2} height={52} />}
          empty={<Text c="dimmed">Todavía no compraste USDC.</Text>}
          moreTestid="crypto-more"
        >
          {(items) => (
            <ul className="cq-list">
              {items.map((order) => (
                <OrderRow key={order.id} order={order} />
              ))}
            </ul>
          )}
        </PagedListView>
      </Stack>
    </section>
  );
}

function OrderRow({ order }: { order: CryptoOrderView }) {
  const { label, tone } = statusVariants[order.status];
  return (
    <li className={classes.order} data-testid="crypto-row" data-status={order.status}>
      <div>
        <Text fw={600} className="cq-num">
          {formatAmount(amountOf(order), 'USD')}
        </Text>
        <Text c="dimmed" fz="sm">
          {formatMoment(order.date)}
        </Text>
      </div>
      <ToneBadge tone={tone}>{label}</ToneBadge>
    </li>
  );
}
