import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Skeleton, Stack, Text, Timeline, Title, useComputedColorScheme } from '@mantine/core';
import type { OnrampAppearanceOptions, OnrampSession, OnrampSessionOptions } from '@stripe/crypto';
import {
  IconAlertTriangle,
  IconCircleCheckFilled,
  IconCreditCard,
  IconHourglass,
  IconWallet,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { shortWallet } from '#core/crypto/crypto-order';
import { formatMinor, parseMinor } from '#core/money/money';
import { cryptoOrderQuery, cryptoOrdersQuery, writeCryptoOrder } from '../../data/crypto-orders.ts';
import { formatDay, formatMoment, formatTime } from '../../lib/format/dates.ts';
import { formatCryptoAmount } from '../../lib/format/money.ts';
import { language } from '../../lib/language.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { Money } from '../../ui/figures.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import classes from './crypto.module.css';
import { amountOf, networkName, type OpenSession, statusMessages, statusVariants, stepOf } from './use-purchase.ts';

interface Props {
  orderId: string;
  session: OpenSession | null;
  onAgain: () => void;
}

/** A purchase as the server knows it, live. The provider's form only hints that there is something new to read. */
export function Order({ orderId, session, onAgain }: Props) {
  const queryClient = useQueryClient();
  const query = useQuery(cryptoOrderQuery(orderId));
  const readAgain = useCallback(() => {
    // Nothing depends on this answer: the change itself is pushed, and the server variants by itself too.
    senderCall('refreshCryptoOrder', { params: { id: orderId } }).then(
      (view) => writeCryptoOrder(queryClient, view),
      () => undefined,
    );
  }, [orderId, queryClient]);
  return (
    <Stack>
      <QueryView
        query={query}
        loading={<LoadingRows rows={4} height={52} />}
        failureAction={
          <Group>
            <Button variant="default" onClick={onAgain}>
              <Trans>Nueva compra</Trans>
            </Button>
          </Group>
        }
      >
        {(order) => <KnownOrder order={order} session={session} onAgain={onAgain} onNews={readAgain} />}
      </QueryView>
    </Stack>
  );
}

function KnownOrder(props: {
  order: CryptoOrderView;
  session: OpenSession | null;
  onAgain: () => void;
  onNews: () => void;
}) {
  const { order, session, onAgain } = props;
  if (order.status === 'fulfillment_complete') return <Bought order={order} onAgain={onAgain} />;
  if (order.status === 'rejected') return <Rejected onAgain={onAgain} />;
  const paid = order.status === 'fulfillment_processing';
  return (
    <Stack gap="lg" data-testid="crypto-order" data-status={order.status}>
      <Progress order={order} />
      {session ? (
        <OnrampElement {...session} onNews={props.onNews} />
      ) : (
        !paid && (
          <Alert color="yellow">
            <Trans>Esta compra quedó sin pagar y no se cobró nada. Empieza una nueva.</Trans>
          </Alert>
        )
      )}
      {!paid && (
        <Group>
          <Button variant="default" onClick={onAgain} data-testid="crypto-back">
            {session ? <Trans>Cambiar el monto</Trans> : <Trans>Nueva compra</Trans>}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Progress({ order }: { order: CryptoOrderView }) {
  return (
    <Stack>
      <Title order={2}>
        <Trans>
          Compra de <Money amount={amountOf(order)} currency="USD" />
        </Trans>
      </Title>
      <Timeline
        active={stepOf(order.status)}
        bulletSize={32}
        lineWidth={3}
        color="green"
        classNames={{ itemTitle: classes.stepTitle }}
      >
        <Timeline.Item bullet={<IconCreditCard size={18} aria-hidden />} title={t`Pago con tarjeta`} />
        <Timeline.Item bullet={<IconHourglass size={18} aria-hidden />} title={t`Compra en proceso`} />
        <Timeline.Item bullet={<IconWallet size={18} aria-hidden />} title={t`USDC en la billetera`} />
      </Timeline>
      <Text role="status" fw={500}>
        {i18n._(statusMessages[order.status])}
      </Text>
    </Stack>
  );
}

function Bought({ order, onAgain }: { order: CryptoOrderView; onAgain: () => void }) {
  const { destinationAmount, destinationCurrency, fees } = order;
  const fee = fees && (parseMinor(fees.network) ?? 0n) + (parseMinor(fees.transaction) ?? 0n);
  return (
    <Stack gap="lg" data-testid="crypto-success">
      <Stack align="center" ta="center" gap="xs">
        <IconCircleCheckFilled size={56} color="var(--cq-good)" aria-hidden />
        <Outcome>{t`Compra completada`}</Outcome>
        {destinationAmount && (
          <div className={`${classes.bought} cq-big cq-num`}>
            {formatCryptoAmount(destinationAmount, destinationCurrency)}
          </div>
        )}
        <Text role="status">{i18n._(statusMessages[order.status])}</Text>
      </Stack>
      <DataList values="end" divided>
        <DataItem label={t`Moneda`}>{destinationCurrency.toUpperCase()}</DataItem>
        <DataItem label={t`Red`}>{networkName(order.destinationNetwork)}</DataItem>
        <DataItem label={t`Billetera`}>
          <CopyValue label={t`billetera`} value={order.walletAddress} testid="crypto-copy">
            {shortWallet(order.walletAddress)}
          </CopyValue>
        </DataItem>
        <DataItem label={t`Monto`}>
          <Money amount={amountOf(order)} currency="USD" />
        </DataItem>
        {fee !== null && (
          <DataItem label={t`Comisiones de Stripe y de la red`}>
            <Money amount={formatMinor(fee)} currency="USD" />
          </DataItem>
        )}
        <DataItem label={t`Fecha`}>
          {formatDay(order.changedAt)}, {formatTime(order.changedAt)}
        </DataItem>
        {order.transactionId && (
          <DataItem label={t`Transacción en la red`}>
            <CopyValue label={t`transacción`} value={order.transactionId} testid="crypto-copy">
              {shortWallet(order.transactionId)}
            </CopyValue>
          </DataItem>
        )}
      </DataList>
      <Button size="lg" fullWidth onClick={onAgain} data-testid="crypto-again">
        <Trans>Comprar de nuevo</Trans>
      </Button>
    </Stack>
  );
}

/** How it ended. Scrolls into view by itself: after paying, the user is further down the page. */
function Outcome({ children }: { children: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Title order={2} ref={title} tabIndex={-1}>
      {children}
    </Title>
  );
}

function Rejected({ onAgain }: { onAgain: () => void }) {
  return (
    <Stack data-testid="crypto-rejected">
      <Outcome>{t`Compra rechazada`}</Outcome>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {i18n._(statusMessages.rejected)}{' '}
        <Trans>
          Si ves un cobro en tu tarjeta, Stripe lo devuelve. Puedes probar con otra tarjeta o con otro monto.
        </Trans>
      </Alert>
      <Group>
        <Button onClick={onAgain} data-testid="crypto-again">
          <Trans>Intentar de nuevo</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

/** Its documentation has this one, its types do not. */
type Session = OnrampSession & { setAppearance?: (appearance: OnrampAppearanceOptions) => void };

/** The provider's form: card, identity and amount are between it and the buyer. `onNews` says that something moved there. */
function OnrampElement({ onramp, clientSecret, onNews }: OpenSession & { onNews: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<Session | null>(null);
  const [loaded, setLoaded] = useState(false);
  const theme = useComputedColorScheme('light');
  const firstTheme = useRef(theme);

  useEffect(() => {
    const container = place.current;
    if (!container) return;
    const options = { clientSecret, appearance: { theme: firstTheme.current }, locale: language() };
    const session: Session = onramp.createSession(options satisfies OnrampSessionOptions);
    const ready = () => setLoaded(true);
    session.addEventListener('onramp_ui_loaded', ready);
    session.addEventListener('onramp_session_updated', onNews);
    session.mount(container);
    mounted.current = session;
    return () => {
      session.removeEventListener('onramp_ui_loaded', ready);
      session.removeEventListener('onramp_session_updated', onNews);
      mounted.current = null;
      container.replaceChildren();
    };
  }, [onramp, clientSecret, onNews]);
  useEffect(() => {
    mounted.current?.setAppearance?.({ theme });
  }, [theme]);

  return (
    <div data-testid="crypto-onramp" data-loaded={loaded}>
      {!loaded && <Skeleton height={320} />}
      <div ref={place} style={loaded ? undefined : { height: 0, overflow: 'hidden' }} />
    </div>
  );
}

/** The person's purchases, newest first, each with its status as it is now. */
export function OrderList() {
  const orders = useInfiniteQuery(cryptoOrdersQuery);
  return (
    <section aria-labelledby="crypto-orders-title">
      <Stack gap="sm">
        <Title order={2} id="crypto-orders-title" fz="h3">
          <Trans>Tus compras</Trans>
        </Title>
        <PagedListView
          query={orders}
          loading={<LoadingRows rows={2} height={52} />}
          empty={
            <Text c="dimmed">
              <Trans>Todavía no compraste USDC.</Trans>
            </Text>
          }
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
        <Text fw={600}>
          <Money amount={amountOf(order)} currency="USD" />
        </Text>
        <Text c="dimmed" fz="sm">
          {formatMoment(order.date)}
        </Text>
      </div>
      <ToneBadge tone={tone}>{i18n._(label)}</ToneBadge>
    </li>
  );
}
