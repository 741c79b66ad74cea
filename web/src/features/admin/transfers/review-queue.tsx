import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Anchor, Card, Group, Kbd, Modal, Stack, Switch, Text, Title, Tooltip } from '@mantine/core';
import { IconKeyboard, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { reviewsQuery, useClaims } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { type CallOutput, errorMessage } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast.ts';
import { Money } from '../../../ui/figures.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import classes from '../admin.module.css';
import { useMay } from '../permitted.tsx';
import { useApprovedNow } from './better-rate.ts';
import { claimText, earnings, reasonLabel, severityTones } from './review-labels.ts';
import { HoldBadge, QuestionBadge, type RowHandlers, SenderBadge } from './transfer-cells.tsx';
import type { Decision } from './transfer-labels.ts';
import { switchShortcuts, useRowKeys, useShortcuts } from './use-row-keys.ts';

type Item = CallOutput<'reviews'>['items'][number];

/** Reasons shown in a line; the rest stands with the transfer. */
const reasonsShown = 3;

/** What waits for a decision, what ends first before: worked through by keyboard alone. */
export function ReviewQueue(props: QueueProps) {
  const query = useQuery(reviewsQuery);
  return (
    <QueryView query={query} showsRefetchFailure loading={<LoadingRows rows={5} height={72} />}>
      {({ items, nextCursor }) => (
        <Queue
          items={items.filter(({ transaction }) => transaction.state === 'in_review')}
          hasMore={nextCursor !== null}
          {...props}
        />
      )}
    </QueryView>
  );
}

interface QueueProps {
  now: number;
  handlers: RowHandlers;
  /** A dialog or a drawer is open above, and keys are its own. */
  locked: boolean;
  /** Lines shown; the rest one press away. */
  most: number;
  showAll: () => void;
  /** Shown when nothing waits. */
  empty: ReactNode;
}

function Queue({
  items,
  hasMore,
  now,
  handlers,
  locked,
  most,
  showAll,
  empty,
}: { items: readonly Item[]; hasMore: boolean } & QueueProps) {
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [helping, setHelping] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const adminId = useSession().data?.user.id;
  const may = useMay();
  const index = items.findIndex(({ review }) => review.id === currentId);
  const claim = useClaims((error) => toastError(t`No se pudo cambiar quién la tiene`, errorMessage(error)));
  const decide = (decision: Decision) => (id: string) => {
    if (may(decision)) handlers.decide(id, decision);
  };
  useRowKeys({
    list,
    locked: locked || helping,
    actions: {
      a: decide('approve'),
      r: decide('reject'),
      c: (id) => {
        const review = items.find((item) => item.review.id === id)?.review;
        if (review && may('claimReview')) claim.mutate({ id, mine: review.claim?.by_id !== adminId });
      },
      '?': () => setHelping(true),
    },
  });
  useFocusAfterLeaving(list, index, currentId !== null);
  if (items.length === 0) return empty;
  const count = hasMore ? `${items.length}+` : String(items.length);
  const visible = items.slice(0, most);
  return (
    <section aria-labelledby="to-decide" data-testid="review-queue">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} fz="h3" id="to-decide">
          <Trans>Para decidir ({count})</Trans>
        </Title>
        <Tooltip label={t`Atajos del teclado (?)`}>
          <ActionIcon variant="default" size={42} aria-label={t`Atajos del teclado`} onClick={() => setHelping(true)}>
            <IconKeyboard size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Card padding={0}>
        <ul ref={list} className={classes.reviews}>
          {visible.map((item, at) => (
            <ReviewLine
              key={item.review.id}
              item={item}
              now={now}
              adminId={adminId}
              // One stop of the tab key for the list; j and k go on from there.
              reachable={index < 0 ? at === 0 : at === index}
              select={() => setCurrentId(item.review.id)}
              open={() => handlers.open(item.review.id)}
            />
          ))}
        </ul>
      </Card>
      {items.length > visible.length && (
        <Anchor component="button" type="button" mt="xs" underline="always" onClick={showAll} data-testid="review-all">
          <Trans>Ver las {count} que esperan una decisión</Trans>
        </Anchor>
      )}
      <KeyboardHelp opened={helping} close={() => setHelping(false)} />
    </section>
  );
}

function ReviewLine({
  item: { transaction: waiting, review },
  now,
  adminId,
  reachable,
  select,
  open,
}: {
  item: Item;
  now: number;
  adminId: string | undefined;
  reachable: boolean;
  select: () => void;
  open: () => void;
}) {
  const transaction = useApprovedNow(waiting);
  const { user, recipient, amount, currency, amount_bs: bolivianos } = transaction;
  const claimed = claimText(review, adminId, now);
  const profit = earnings(transaction, review);
  const more = review.reasons.length - reasonsShown;
  const to = recipient || t`Sin destinatario`;
  return (
    <li>
      <button
        type="button"
        className={classes.review ?? ''}
        tabIndex={reachable ? 0 : -1}
        onFocus={select}
        onClick={open}
        data-row-id={review.id}
        data-testid="review-line"
      >
        <span className={classes.reviewWho}>
          <b>{user}</b> → {to}
        </span>
        <span className={classes.reviewSums}>
          <Money amount={amount} currency={currency} /> → <Money amount={bolivianos} currency="BOB" />
          {profit && (
            <Text
              span
              fz="sm"
              c={profit.loses ? 'var(--cq-bad)' : 'dimmed'}
              fw={profit.loses ? 700 : 400}
              data-loses={profit.loses}
            >
              {' '}
              {profit.loses ? (
                <Trans>
                  Perdemos <Money amount={profit.amount} currency={currency} />
                </Trans>
              ) : (
                <Trans>
                  Ganamos <Money amount={profit.amount} currency={currency} />
                </Trans>
              )}
            </Text>
          )}
        </span>
        <Group gap={6} component="span">
          <HoldBadge transfer={transaction} now={now} always />
          <SenderBadge transfer={transaction} />
          <QuestionBadge transfer={transaction} />
          {claimed && (
            <ToneBadge tone="quiet" size="md" Icon={IconUserCheck}>
              {claimed}
            </ToneBadge>
          )}
          {review.approval && (
            <ToneBadge tone="wait" size="md" Icon={IconUsers}>
              <Trans>Falta la segunda aprobación</Trans>
            </ToneBadge>
          )}
          {review.reasons.slice(0, reasonsShown).map((reason) => (
            <ToneBadge key={reasonLabel(reason)} tone={severityTones[reason.severity]} size="md">
              {reasonLabel(reason)}
            </ToneBadge>
          ))}
          {more > 0 && <Text span fz="sm" c="dimmed">{`+${more}`}</Text>}
        </Group>
      </button>
    </li>
  );
}

/** A line that leaves the queue takes the focus with it: the one in its place gets it. */
function useFocusAfterLeaving(list: RefObject<HTMLElement | null>, index: number, isChosen: boolean): void {
  const last = useRef(0);
  useEffect(() => {
    if (index >= 0) last.current = index;
    else if (isChosen && document.activeElement === document.body) {
      const lines = list.current?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [];
      lines[Math.min(last.current, lines.length - 1)]?.focus();
    }
  }, [list, index, isChosen]);
}

function KeyboardHelp({ opened, close }: { opened: boolean; close: () => void }) {
  const { on } = useShortcuts();
  const shortcuts = [
    ['j', t`La siguiente`],
    ['k', t`La anterior`],
    ['Enter', t`Abrirla con sus motivos`],
    ['a', t`Aprobar`],
    ['r', t`Rechazar`],
    ['c', t`Tomarla para decidir, o dejarla`],
    ['?', t`Estos atajos`],
  ] as const;
  return (
    <Modal opened={opened} onClose={close} title={t`Atajos del teclado`} closeButtonProps={{ 'aria-label': t`Cerrar` }}>
      <Switch
        label={t`Usar estos atajos`}
        description={t`Solo valen en la fila que tiene el foco.`}
        checked={on}
        onChange={(event) => switchShortcuts(event.currentTarget.checked)}
        mb="md"
        data-testid="shortcuts-switch"
      />
      <Stack gap="xs" component="dl" m={0}>
        {shortcuts.map(([key, text]) => (
          <Group key={key} gap="md" wrap="nowrap">
            <Text component="dt" w={64}>
              <Kbd size="md">{key}</Kbd>
            </Text>
            <Text component="dd" m={0}>
              {text}
            </Text>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
