import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, RollingNumber, SimpleGrid, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconHourglassLow, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import type { RateChangeView, RateManagementView } from '#core/contracts/http/admin-rates';
import type { RateView } from '#core/contracts/http/rates';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { rateDeskQuery } from '../../../data/admin-panel.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatRateLine } from '../../../lib/format/money.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import classes from '../admin.module.css';
import { Permitted, useMay } from '../permitted.tsx';
import { changeStateWord, limitsOf, limitsOfChange, lossText } from './change-messages.ts';
import { LossBadge, Market } from './market.tsx';
import { OpenChange } from './rate-changes.tsx';
import { RateForm } from './rate-form.tsx';

/** Exchange rates: changes that wait for somebody, what is in force beside the market, and the field for the next one. */
export function RateDesk() {
  const desk = useQuery(rateDeskQuery);
  const open = desk.data ? openChangesOf(desk.data) : [];
  const focus = useFocusKept(open.map(({ id }) => id).join());
  return (
    <section aria-labelledby="rates-title" tabIndex={-1} {...focus} data-testid="admin-rate-desk">
      <Title order={2} id="rates-title" mb="sm">
        <Trans>Tasas de cambio</Trans>
      </Title>
      <QueryView query={desk} loading={<Panels desk={null} />}>
        {(data) => <Panels desk={data} />}
      </QueryView>
      <VisuallyHidden role="status">{open.map(announcement).join(' ')}</VisuallyHidden>
    </section>
  );
}

function announcement({ state, rate, currency, setBy }: RateChangeView): string {
  const word = changeStateWord(state);
  const line = formatRateLine(rate, currency);
  return t`${word}: ${line}, pedido por ${setBy}.`;
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
  const may = useMay();
  const shown = desk?.currencies[currency] ?? null;
  const take = (rate: string) => {
    setEntry(rate);
    field.current?.focus();
  };
  return (
    <Card padding="md" component="section" aria-label={t`Tasa de ${currency}`} data-testid={`admin-rate-${currency}`}>
      <Stack gap="sm">
        <div>
          <Group justify="space-between" gap="xs">
            <Text c="dimmed" fz="sm">
              <Trans>Tasa {currency}</Trans>
            </Text>
            <Group gap="xs">
              {shown && <LossBadge inForce={shown.inForce} reference={shown.reference} />}
              <UpdateBadge pending={pending} loses={lossText(shown?.inForce?.rate, shown?.reference?.rate) !== null} />
            </Group>
          </Group>
          <CurrentRate currency={currency} current={shown?.inForce ?? null} loading={!desk} />
        </div>
        <div className={classes.halves}>
          {desk && shown ? (
            <Market
              currency={currency}
              shown={shown}
              marginPercent={desk.marginPercent}
              take={shown.openChange || !may('setRate') ? null : take}
            />
          ) : (
            <Skeleton height={104} />
          )}
          {shown?.openChange ? (
            <Taken />
          ) : (
            <Permitted to="setRate">
              <RateForm
                currency={currency}
                inForce={shown?.inForce?.rate ?? null}
                limits={desk && limitsOf(desk, currency)}
                entry={entry}
                setEntry={setEntry}
                field={field}
                setPending={setPending}
              />
            </Permitted>
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
      <Text fz="sm">
        <Trans>Hay un cambio abierto, arriba. Cuando se aplique o se retire podrás pedir otro.</Trans>
      </Text>
    </Group>
  );
}

/** Whether a change is on its way. What loses money is not green. */
function UpdateBadge({ pending, loses }: { pending: boolean; loses: boolean }) {
  return (
    <ToneBadge
      tone={pending ? 'wait' : loses ? 'quiet' : 'good'}
      Icon={pending ? IconRefresh : IconCheck}
      role="status"
    >
      {pending ? t`Actualizando...` : t`Actualizado`}
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
  if (!current)
    return (
      <Text mt={4}>
        <Trans>Sin tasa: nadie puede enviar {currency} hasta que fijes una.</Trans>
      </Text>
    );
  const { rate } = current;
  const [prefix, suffix] = formatRateLine(rate, currency).split(formatDecimal(rate));
  const from = laPazTime(current.lastUpdated);
  return (
    <>
      <RollingNumber
        className={`${classes.rate} cq-big`}
        value={Number(rate)}
        prefix={prefix}
        suffix={suffix}
        decimalSeparator={formatDecimal('.')}
        decimalScale={rate.split('.')[1]?.length ?? 2}
        fixedDecimalScale
        animationDuration={220}
        data-testid={`admin-rate-current-${currency}`}
        data-rate={rate}
      />
      <Text fz="sm" c="dimmed">
        {current.source === 'derived' ? (
          <Trans>Desde el {from}, calculada con la tasa del dólar</Trans>
        ) : (
          <Trans>Desde el {from}</Trans>
        )}
      </Text>
    </>
  );
}
