import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Center, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { BookDayView, ProfitView } from '#core/contracts/http/reconciliation';
import { useCloseDay } from '../../../data/reconciliation.ts';
import { formatCalendarDay, laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { errorMessage } from '../../../lib/http.ts';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { refusalMessages, sideNames } from './book-messages.ts';
import { WaitingRequest } from './exception-list.tsx';

/** Days that are shown before somebody asks for more. */
const fewDays = 4;

/** Days of the books: first the one that has to be closed next, then the newest. */
export function DayCards({ days }: { days: readonly BookDayView[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const next = days.findLast(({ closed_at: closedAt }) => closedAt === null);
  const inOrder = next ? [next, ...days.filter((one) => one !== next)] : days;
  const shown = showsAll ? inOrder : inOrder.slice(0, fewDays);
  return (
    <Stack gap="sm">
      {shown.map((one) => (
        <DayCard key={one.day} one={one} />
      ))}
      {shown.length < inOrder.length && (
        <Center>
          <Button variant="default" onClick={() => setShowsAll(true)} data-testid="books-days-more">
            <Trans>Ver más</Trans>
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function DayCard({ one }: { one: BookDayView }) {
  const close = useCloseDay();
  const isClosed = one.closed_at !== null;
  const { proposed_by: proposer, confirmed_by: confirmer } = one;
  return (
    <Card padding="md" data-testid="books-day" data-day={one.day}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text fw={600}>{formatCalendarDay(one.day)}</Text>
          <ToneBadge tone={isClosed ? 'good' : one.refusals.length === 0 ? 'wait' : 'quiet'}>
            {isClosed ? t`Cerrado` : one.refusals.length === 0 ? t`Listo para cerrar` : t`Abierto`}
          </ToneBadge>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing={{ base: 'md', sm: 48 }} verticalSpacing="md">
          {one.totals.map((totals) => (
            <Totals key={`${totals.side} ${totals.currency}`} totals={totals} />
          ))}
        </SimpleGrid>
        {one.profit.filter(isEarned).map((profit) => (
          <Profit key={profit.currency} profit={profit} />
        ))}
        {isClosed && (
          <Text fz="sm" c="dimmed">
            <Trans>
              Lo propuso {proposer} y lo confirmó {confirmer}.
            </Trans>
          </Text>
        )}
        {!isClosed && one.refusals.length > 0 && (
          <Text fz="sm" c="dimmed" data-testid="books-refusals">
            {one.refusals.map((refusal) => i18n._(refusalMessages[refusal])).join(' ')}
          </Text>
        )}
        {one.request ? (
          <WaitingRequest request={one.request} asked={t`Cerrar el día`} />
        ) : (
          !isClosed &&
          one.refusals.length === 0 && (
            <Group>
              <Button loading={close.isPending} onClick={() => close.mutate(one.day)} data-testid="books-close">
                <Trans>Proponer el cierre</Trans>
              </Button>
            </Group>
          )
        )}
        {close.error && (
          <Text fz="sm" c="red" role="alert">
            {errorMessage(close.error)}
          </Text>
        )}
        {one.compared_at && <Compared at={one.compared_at} />}
      </Stack>
    </Card>
  );
}

function Compared({ at }: { at: string }) {
  const moment = laPazTime(at);
  return (
    <Text fz="sm" c="dimmed">
      <Trans>Comparado el {moment}</Trans>
    </Text>
  );
}

const isEarned = ({ fee, margin, processor, loss }: ProfitView) =>
  [fee, margin, processor, loss].some((amount) => amount !== '0.00');

/** What a source and our books have at the end of the day, and what explains the rest. */
function Totals({ totals }: { totals: BookDayView['totals'][number] }) {
  const { side, currency } = totals;
  const rows: [string, string][] = [
    [t`En la fuente`, totals.source],
    [t`En los libros`, totals.books],
    [t`Diferencia`, totals.difference],
    ...(totals.timing === '0.00' ? [] : ([[t`En camino`, totals.timing]] as [string, string][])),
    ...(totals.explained === '0.00' ? [] : ([[t`Explicado`, totals.explained]] as [string, string][])),
    ...(totals.open === '0.00' ? [] : ([[t`Diferencias abiertas`, totals.open]] as [string, string][])),
    ...(totals.unexplained === '0.00' ? [] : ([[t`Sin explicación`, totals.unexplained]] as [string, string][])),
  ];
  return (
    <div>
      <Text fw={500}>
        {i18n._(sideNames[side])}, {currency}
      </Text>
      {rows.map(([label, amount]) => (
        <Group key={label} justify="space-between" gap="xs" wrap="nowrap">
          <Text fz="sm" c="dimmed">
            {label}
          </Text>
          <Text fz="sm" className="cq-num">
            {formatAmount(amount, currency)}
          </Text>
        </Group>
      ))}
    </div>
  );
}

function Profit({ profit }: { profit: ProfitView }) {
  const { currency } = profit;
  const [total, fee, margin, processor, loss] = [
    ...[profit.total, profit.fee, profit.margin, profit.processor, profit.loss],
  ].map((amount) => formatAmount(amount, currency));
  return (
    <Text fz="sm" data-testid="books-profit">
      <Trans>
        <b>Ganancia {total}</b>: comisión {fee}, margen {margin}, Stripe {processor}, pérdidas {loss}
      </Trans>
    </Text>
  );
}
