import {
  Alert,
  Badge,
  Button,
  Card,
  Group,
  Modal,
  NumberInput,
  RollingNumber,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RateView } from '#core/contracts/http/rates';
import { formatRateLine } from '#core/format';
import type { SendCurrency } from '#core/money';
import { formatRate, parseRate, type Rate } from '#core/rate';
import { ApiFailure, call, sentenceOf } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import classes from './admin.module.css';
import { DialogTitle } from './dialog-title.tsx';
import { laPazTime } from './la-paz-time.ts';
import { receiveRate } from './queries.ts';
import { changeText, needsConfirmation, readRateEntry } from './rate-entry.ts';

/** One currency's rate: what is in force since when, and a field for the next one. */
export function RatePanel({
  currency,
  current,
  loading,
}: {
  currency: SendCurrency;
  current: RateView | null;
  loading: boolean;
}) {
  const [entry, setEntry] = useState('');
  const [asked, setAsked] = useState<Rate | null>(null);
  const [asking, setAsking] = useState(false);
  const save = useSetRate(currency, () => setEntry(''));
  const next = readRateEntry(entry);
  const inForce = current ? parseRate(current.rate) : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (next === null || save.isPending) return;
    if (!needsConfirmation(inForce, next)) return save.mutate(next);
    setAsked(next);
    setAsking(true);
  };
  return (
    <Card h="100%" padding="md" component="section" aria-label={`Tasa de ${currency}`}>
      <Stack gap="sm">
        <div>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text c="dimmed" fz="sm">
              Tasa {currency}
            </Text>
            <UpdateBadge pending={save.isPending} />
          </Group>
          <CurrentRate currency={currency} current={current} loading={loading} />
        </div>
        <form onSubmit={submit}>
          <NumberInput
            label={`Nueva tasa ${currency} (Bs)`}
            placeholder={current ? `Por ejemplo ${boliviano(current.rate)}` : undefined}
            value={entry}
            valueIsNumericString
            onValueChange={({ value }) => {
              save.reset();
              setEntry(value);
            }}
            min={0}
            step={0.01}
            startValue={Number(current?.rate ?? 0)}
            decimalScale={2}
            decimalSeparator=","
            allowedDecimalSeparators={[',', '.']}
            allowNegative={false}
            inputMode="decimal"
            autoComplete="off"
            error={entryError(entry, next, save.error)}
            disabled={save.isPending}
            data-testid={`admin-rate-input-${currency}`}
          />
          <Button
            type="submit"
            fullWidth
            mt="sm"
            variant={next === null ? 'default' : 'filled'}
            disabled={next === null}
            loading={save.isPending}
            data-testid={`admin-rate-save-${currency}`}
          >
            Actualizar tasa
          </Button>
        </form>
      </Stack>
      {inForce !== null && (
        <ConfirmRate
          currency={currency}
          current={inForce}
          opened={asking}
          next={asked}
          cancel={() => setAsking(false)}
          confirm={(rate) => {
            setAsking(false);
            save.mutate(rate);
          }}
        />
      )}
    </Card>
  );
}

function useSetRate(currency: SendCurrency, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rate: Rate) => call(endpoints.setRate, { body: { rate: formatRate(rate), currency } }),
    onSuccess: ({ change, inForce }) => {
      if (inForce) receiveRate(queryClient, inForce);
      onSaved();
      const line = formatRateLine(change.rate, currency);
      if (change.state === 'activated') toastDone('Tasa actualizada', line);
      else toastDone('Cambio en espera', `${line} espera la confirmación de otra persona.`);
    },
    onError: (error) => toastError('No se pudo actualizar la tasa', sentenceOf(error)),
  });
}

function entryError(entry: string, next: Rate | null, failure: Error | null): string | null {
  if (failure instanceof ApiFailure && failure.fields.rate) return failure.fields.rate;
  return entry !== '' && next === null ? 'Escribe una tasa mayor que cero, con dos decimales como máximo' : null;
}

/** The rate cut to the two decimals an admin can enter, with a decimal comma. */
const boliviano = (rate: string) => rate.slice(0, rate.indexOf('.') + 3).replace('.', ',');

function UpdateBadge({ pending }: { pending: boolean }) {
  const Icon = pending ? IconRefresh : IconCheck;
  const tone = pending ? 'wait' : 'good';
  return (
    <Badge
      size="lg"
      radius="sm"
      tt="none"
      fw={600}
      role="status"
      leftSection={<Icon size={14} aria-hidden />}
      styles={{ root: { background: `var(--cq-${tone}-soft)`, color: `var(--cq-${tone})`, flex: 'none' } }}
    >
      {pending ? 'Actualizando...' : 'Actualizado'}
    </Badge>
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
      />
      <Text fz="sm" c="dimmed" mih={{ base: 0, sm: '3.1em' }}>
        Desde el {laPazTime(current.lastUpdated)}
        {current.source === 'derived' && ', calculada con la tasa del dólar'}
      </Text>
    </>
  );
}

function ConfirmRate({
  opened,
  currency,
  current,
  next,
  cancel,
  confirm,
}: {
  opened: boolean;
  currency: SendCurrency;
  current: Rate;
  /** Stays while the dialog closes. */
  next: Rate | null;
  cancel: () => void;
  confirm: (rate: Rate) => void;
}) {
  return (
    <Modal opened={opened} onClose={cancel} title={<DialogTitle>¿Cambiar tanto la tasa?</DialogTitle>}>
      {next !== null && (
        <Stack gap="md">
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="sm">
            La nueva tasa cambia la actual en {changeText(current, next)}. Revisa que no falte ni sobre una cifra.
          </Alert>
          <div className="cq-num">
            <Text c="dimmed">Ahora: {formatRateLine(formatRate(current), currency)}</Text>
            <Text className={`${classes.rate} cq-big`}>{formatRateLine(formatRate(next), currency)}</Text>
          </div>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={cancel} data-autofocus>
              Cancelar
            </Button>
            <Button onClick={() => confirm(next)} data-testid="admin-rate-confirm">
              Sí, cambiar la tasa
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
