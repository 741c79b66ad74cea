import { Card, Group, RollingNumber, SimpleGrid, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconHourglassLow, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import type { RateView } from '#core/contracts/http/rates';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { deskQuery } from '../../../data/rate-desk.ts';
import { formatRateLine } from '../../../lib/format/money.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { laPazTime } from '../la-paz-time.ts';
import { changeStateWord, limitsOf, limitsOfChange } from './change-messages.ts';
import { Market } from './market.tsx';
import { OpenChange } from './rate-changes.tsx';
import { RateForm } from './rate-form.tsx';
import classes from './rates.module.css';

/** Exchange rates: changes that wait for somebody, what is in force beside the market, and the field for the next one. */
export function RateDesk() {
  const desk = useQuery(deskQuery);
  const open = desk.data ? openChangesOf(desk.data) : [];
  const focus = useFocusKept(open.map(({ id }) => id).join());
  return (
    <section aria-labelledby="rates-title" tabIndex={-1} {...focus} data-testid="admin-rate-desk">
      <Title order={2} id="rates-title" mb="sm">
        Tasas de cambio
      </Title>
      <QueryView query={desk} loading={<Panels desk={null} />}>
        {(data) => <Panels desk={data} />}
      </QueryView>
      <VisuallyHidden role="status">
        {open
          .map(({ state, rate, currency, setBy }) => {
            return `${changeStateWord(state)}: ${formatRateLine(rate, currency)}, pedido por ${setBy}.`;
          })
          .join(' ')}
      </VisuallyHidden>
    </section>
  );
}

function Panels({ desk }: { desk: RateManagementView | null }) {
  return (
    <Stack gap="md">
      {desk &&
        openChangesOf(desk).map((change) => (
          <OpenChange key={change.id} change={change} limits={limitsOfChange(desk, change)} />
        ))}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        {sendCurrencies.map((currency) => (
          <RatePanel key={currency} currency={currency} desk={desk} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const openChangesOf = ({ currencies }: RateManagementView) =>
  sendCurrencies.flatMap((currency) => currencies[currency].openChange ?? []);

/** When a field gives way to a change, or a change goes away, a keyboard that was there stays in this part of the page. */
function useFocusKept(shown: string) {
  const ref = useRef<HTMLElement>(null);
  const inside = useRef(false);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (inside.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, [shown]);
  return {
    ref,
    onFocus: () => {
      inside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      // Without a next element the focused one went away, or the person clicked beside everything.
      if (event.relatedTarget) inside.current = event.currentTarget.contains(event.relatedTarget);
    },
  };
}

/** One currency: the rate in force beside the market, and a field for the next one while no change is open. */
function RatePanel({ currency, desk }: { currency: SendCurrency; desk: RateManagementView | null }) {
  const [pending, setPending] = useState(false);
  const [entry, setEntry] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const shown = desk?.currencies[currency] ?? null;
  const take = (rate: string) => {
    setEntry(rate);
    field.current?.focus();
  };
  return (
    <Card padding="md" component="section" aria-label={`Tasa de ${currency}`} data-testid={`admin-rate-${currency}`}>
      <Stack gap="sm">
        <div>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text c="dimmed" fz="sm">
              Tasa {currency}
            </Text>
            <UpdateBadge pending={pending} />
          </Group>
          <CurrentRate currency={currency} current={shown?.inForce ?? null} loading={!desk} />
        </div>
        <div className={classes.halves}>
          {desk && shown ? (
            <Market
              currency={currency}
              shown={shown}
              marginPercent={desk.marginPercent}
              take={shown.openChange ? null : take}
            />
          ) : (
            <Skeleton height={104} />
          )}
          {shown?.openChange ? (
            <Taken />
          ) : (
            <RateForm
              currency={currency}
              inForce={shown?.inForce?.rate ?? null}
              limits={desk && limitsOf(desk, currency)}
              entry={entry}
              setEntry={setEntry}
              field={field}
              setPending={setPending}
            />
          )}
        </div>
      </Stack>
    </Card>
  );
}

function Taken() {
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" c="dimmed">
      <IconHourglassLow size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <Text fz="sm">Hay un cambio abierto, arriba. Cuando se aplique o se retire podrás pedir otro.</Text>
    </Group>
  );
}

function UpdateBadge({ pending }: { pending: boolean }) {
  return (
    <ToneBadge tone={pending ? 'wait' : 'good'} Icon={pending ? IconRefresh : IconCheck} role="status">
      {pending ? 'Actualizando...' : 'Actualizado'}
    </ToneBadge>
  );
}

function CurrentRate({
  currency,
  current,
  loading,
}: {
  currency: SendCurrency;
  current: RateView | null;
  loading: boolean;
}) {
  if (loading)
    return (
      <div aria-busy="true">
        <Skeleton height={26} my={7} width="80%" />
        <Skeleton height={12} my={5} width="60%" />
      </div>
    );
  if (!current) return <Text mt={4}>Sin tasa: nadie puede enviar {currency} hasta que fijes una.</Text>;
  return (
    <>
      <RollingNumber
        className={`${classes.rate} cq-big`}
        value={Number(current.rate)}
        prefix={`1 ${currency} = `}
        suffix=" Bs"
        decimalSeparator=","
        decimalScale={current.rate.split('.')[1]?.length ?? 2}
        fixedDecimalScale
        animationDuration={220}
        data-testid={`admin-rate-current-${currency}`}
        data-rate={current.rate}
      />
      <Text fz="sm" c="dimmed">
        Desde el {laPazTime(current.lastUpdated)}
        {current.source === 'derived' && ', calculada con la tasa del dólar'}
      </Text>
    </>
  );
}
