import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RepeatView } from '#core/contracts/http/repeats';
import type { SendCurrency } from '#core/money/money';
import { farthestStartDays, usualHour } from '#core/repeats/schedule';
import { useQuote } from '../../data/rates.ts';
import { recipientsQuery } from '../../data/recipients.ts';
import { type RepeatInput, type RepeatStart, useSaveRepeat } from '../../data/repeats.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { formatHour } from '../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { amountProblem, malformedAmount } from '../../lib/sending-draft.ts';
import { toastDone } from '../../lib/toast.ts';
import { useUsualCurrency } from '../../lib/usual-currency.ts';
import { AmountInput } from '../../ui/decimal-input.tsx';
import { Dialog, useReturnFocus } from '../../ui/dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { choiceLabel } from '../shared/recipient-choice.tsx';
import { CurrencyChoice } from '../shared/sending-inputs.tsx';
import { nextText, zoneText } from './repeat-texts.ts';

interface Draft {
  readonly recipientId: string;
  readonly fixed: RepeatView['fixed'];
  readonly amount: string;
  readonly currency: SendCurrency;
  readonly every: RepeatView['every'];
  readonly day: number;
  readonly from: string;
  readonly hour: number;
  readonly zone: string;
}

const days = Array.from({ length: 31 }, (_, index) => String(index + 1));
const hours = () => Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }));
const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const isoDay = (ms: number) => {
  const date = new Date(ms);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};
const dayMs = 86_400_000;

/** Asks for reminders of a transfer: how much, to whom, on which day. Nothing is ever charged by them. */
export default function RepeatDialog({ start, onClose }: { start: RepeatStart; onClose: () => void }) {
  const [now] = useState(Date.now);
  const usual = useUsualCurrency();
  const [draft, setDraft] = useState<Draft>(() => ({
    recipientId: start.recipientId ?? '',
    ...{ fixed: start.fixed ?? 'pay', amount: start.amount ?? '100', currency: start.currency ?? usual },
    ...{ every: start.every ?? 'month', day: start.day ?? new Date(now).getDate(), from: isoDay(now) },
    ...{ hour: start.hour ?? usualHour.hour, zone: start.zone ?? usualHour.zone },
  }));
  const [asked, setAsked] = useState(false);
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const save = useSaveRepeat(start.repeatId ?? null);
  const known = useQuery(recipientsQuery);
  const recipients = known.data;
  useReturnFocus();
  const { fixed, amount, currency, every } = draft;
  const { quote, limits } = useQuote({ amount, currency, side: fixed });
  const amountWrong =
    fixed === 'pay'
      ? amountProblem(amount, currency, limits?.maximum ?? null)
      : (malformedAmount(amount) ?? amountProblem(quote?.amount ?? '', currency, limits?.maximum ?? null));
  // Until the quote is there, changing the side would lose the amount.
  const awaitsQuote = amount !== '' && !amountWrong && !quote;
  const noAmount = asked && amount === '' ? t`Escribe un monto válido, por ejemplo 100 o 99,50` : null;
  const whomWrong = asked && !recipients?.some(({ id }) => id === draft.recipientId) ? t`Elige un destinatario` : null;
  const last = isoDay(now + farthestStartDays * dayMs);
  const fromWrong =
    every === 'two_weeks' && !(draft.from >= isoDay(now) && draft.from <= last)
      ? t`Elige un día de los próximos 60`
      : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const missing = !recipients?.some(({ id }) => id === draft.recipientId) || amount === '';
    if (missing || amountWrong || fromWrong) return focusFirstProblem(event);
    save.mutate(inputOf(draft), {
      onSuccess: (saved) => {
        onClose();
        const next = nextText(saved);
        toastDone(t`Te lo recordaremos`, t`Próximo aviso: ${next}. Nada se cobra sin que lo pagues.`);
      },
    });
  };
  return (
    <Dialog opened onClose={onClose} title={start.repeatId ? t`Cambiar lo que se repite` : t`Repetir este envío`}>
      <form noValidate onSubmit={submit} data-testid="repeat-form">
        <Stack>
          <Text c="dimmed">
            <Trans>
              Te avisamos aquí y por correo, con la tasa de ese día. No se cobra nada hasta que tú lo revisas y pagas.
            </Trans>
          </Text>
          <NativeSelect
            label={t`Destinatario`}
            data={[
              { value: '', label: choiceLabel(known) },
              ...(recipients ?? []).map(({ id, name, bankName }) => ({ value: id, label: `${name} · ${bankName}` })),
            ]}
            value={draft.recipientId}
            onChange={(event) => change({ recipientId: event.currentTarget.value })}
            error={whomWrong}
            data-testid="repeat-recipient"
          />
          <QueryView query={known} loading={null}>
            {() => null}
          </QueryView>
          <div>
            <AmountInput
              label={fixed === 'pay' ? t`Pagas cada vez` : t`Bolivianos que deben llegar cada vez`}
              value={amount}
              onChange={(next) => change({ amount: next })}
              error={amountWrong ?? noAmount}
              testid="repeat-amount"
            />
            <Anchor
              component="button"
              type="button"
              fz="sm"
              mt={4}
              aria-disabled={awaitsQuote}
              onClick={() =>
                !awaitsQuote &&
                change(
                  fixed === 'pay'
                    ? { fixed: 'receive', amount: quote?.bs ?? '' }
                    : { fixed: 'pay', amount: quote?.amount ?? '' },
                )
              }
              data-testid="repeat-side"
            >
              {fixed === 'pay' ? t`¿Debe llegar un monto exacto?` : t`Escribir lo que pago`}
            </Anchor>
            <Text fz="sm" c="dimmed" mih="1.5em" aria-live="polite">
              {quote && !amountWrong && amount !== '' && <TodayFigures fixed={fixed} quote={quote} />}
            </Text>
          </div>
          <CurrencyChoice value={currency} onChange={(next) => change({ currency: next })} testid="repeat-currency" />
          <SegmentedControl
            fullWidth
            size="md"
            aria-label={t`Cada cuánto`}
            data={[
              { value: 'month', label: t`Cada mes` },
              { value: 'two_weeks', label: t`Cada dos semanas` },
            ]}
            value={every}
            onChange={(value) => change({ every: value as Draft['every'] })}
            data-testid="repeat-every"
          />
          {every === 'month' ? (
            <NativeSelect
              label={t`Día del mes`}
              description={draft.day > 28 ? t`En los meses más cortos, el último día.` : undefined}
              data={days}
              value={String(draft.day)}
              onChange={(event) => change({ day: Number(event.currentTarget.value) })}
              data-testid="repeat-day"
            />
          ) : (
            <TextInput
              type="date"
              label={t`Desde el día`}
              size="md"
              min={isoDay(now)}
              max={last}
              value={draft.from}
              onChange={(event) => change({ from: event.currentTarget.value })}
              error={fromWrong}
              data-testid="repeat-from"
            />
          )}
          <Group grow preventGrowOverflow={false} gap="sm">
            <NativeSelect
              label={t`Hora del aviso`}
              data={hours()}
              value={String(draft.hour)}
              onChange={(event) => change({ hour: Number(event.currentTarget.value) })}
              data-testid="repeat-hour"
            />
            <NativeSelect
              label={t`Según la`}
              data={[...new Set([usualHour.zone, here(), draft.zone])].map((zone) => ({
                value: zone,
                label: zoneText(zone),
              }))}
              value={draft.zone}
              onChange={(event) => change({ zone: event.currentTarget.value })}
              data-testid="repeat-zone"
            />
          </Group>
          {save.error && (
            <Alert color="red" role="alert">
              {errorMessage(save.error)}
            </Alert>
          )}
          <div className="cq-dialog-actions">
            <Button variant="default" onClick={onClose}>
              <Trans>Cancelar</Trans>
            </Button>
            <Button type="submit" loading={save.isPending} data-testid="repeat-save">
              {start.repeatId ? t`Guardar` : t`Recordármelo`}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

function TodayFigures({
  fixed,
  quote,
}: Pick<Draft, 'fixed'> & { quote: { amount: string; bs: string; currency: SendCurrency } }) {
  const [paid, arrives] = [formatAmount(quote.amount, quote.currency), formatBolivianos(quote.bs)];
  return fixed === 'pay' ? (
    <Trans>Con la tasa de hoy llegan {arrives}.</Trans>
  ) : (
    <Trans>Con la tasa de hoy pagas {paid}.</Trans>
  );
}

function inputOf({ fixed, amount, every, day, from, ...rest }: Draft): RepeatInput {
  return {
    ...rest,
    every,
    ...(fixed === 'pay' ? { amount } : { receive: amount }),
    ...(every === 'month' ? { day } : { from }),
  };
}
