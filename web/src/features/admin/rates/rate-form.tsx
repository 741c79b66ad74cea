import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { SendCurrency } from '#core/money/money';
import type { GuardRail } from '#core/rates/guard-rails';
import { formatRate } from '#core/rates/rate';
import { refusedField } from '../../../lib/form-failure.ts';
import { fromLaPazField, toLaPazField, zoneName } from '../../../lib/format/dates.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';
import classes from '../admin.module.css';
import { cutRate, guardRailMessage, type Limits, readRateEntry } from './change-messages.ts';
import { missingReason, useAskForRate, usePending } from './rate-changes.tsx';

const reasonMax = 300;
const aheadMsMax = 30 * 24 * 3_600_000;

type When = 'now' | 'at';

/** Form for the next rate: the figure, and optionally (or where required) reason and start time. */
export function RateForm({
  currency,
  inForce,
  limits,
  entry,
  setEntry,
  field,
  setPending,
}: {
  currency: SendCurrency;
  inForce: string | null;
  limits: Limits | null;
  /** What stands in the field; the market's proposal can be put there from outside. */
  entry: string;
  setEntry: (entry: string) => void;
  field: RefObject<HTMLInputElement | null>;
  setPending: (pending: boolean) => void;
}) {
  const [reason, setReason] = useState('');
  const [when, setWhen] = useState<When>('now');
  const [hour, setHour] = useState('');
  const [more, setMore] = useState(false);
  const [missing, setMissing] = useState<{ reason?: string; hour?: string }>({});
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const hourField = useRef<HTMLInputElement>(null);
  const save = useAskForRate(currency, () => {
    setEntry('');
    setReason('');
    setWhen('now');
    setHour('');
    setMore(false);
  });
  usePending(save.isPending, setPending);
  const next = readRateEntry(entry);
  // What the server said of one figure says nothing of the next.
  const refusal = next !== null && save.variables?.rate === formatRate(next) ? save.error : null;
  const rails = missingReason(refusal);
  const isRefused = rails !== null;
  const isOpen = more || isRefused;
  const isScheduled = isOpen && when === 'at';

  useEffect(() => {
    if (isRefused) reasonField.current?.focus();
  }, [isRefused]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (next === null || save.isPending) return;
    // What is out of sight is not sent.
    const why = isOpen ? reason.trim().replace(/\s+/g, ' ') : '';
    const at = isScheduled ? fromLaPazField(hour) : null;
    const problems = {
      ...((isScheduled || rails) && why === '' && { reason: t`Escribe el motivo: queda registrado con el cambio` }),
      ...(isScheduled && hourProblem(at)),
    };
    setMissing(problems);
    if (problems.hour) return hourField.current?.focus();
    if (problems.reason) return reasonField.current?.focus();
    save.mutate({ rate: formatRate(next), reason: why || undefined, activateAt: at ?? undefined });
  };
  const zone = zoneName();
  const decimalSign = formatDecimal('.');
  const example = inForce ? formatDecimal(cutRate(inForce, 2)) : undefined;
  const failed = (name: string) => refusedField(refusal, name);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <NumberInput
          onChangeCapture={({ currentTarget }) => {
            // The field takes another decimal sign that is typed, and drops one that is pasted.
            currentTarget.value = currentTarget.value.replace(/[.,](?=\d)/, decimalSign);
          }}
          ref={field}
          label={t`Nueva tasa ${currency} (Bs)`}
          placeholder={example && t`Por ejemplo ${example}`}
          value={entry}
          valueIsNumericString
          onValueChange={({ value }) => setEntry(value)}
          min={0}
          step={0.01}
          startValue={Number(inForce ?? 0)}
          decimalScale={2}
          decimalSeparator={decimalSign}
          allowedDecimalSeparators={[',', '.']}
          allowNegative={false}
          inputMode="decimal"
          autoComplete="off"
          error={
            failed('rate') ??
            (entry !== '' && next === null ? t`Escribe una tasa mayor que cero, con dos decimales como máximo` : null)
          }
          disabled={save.isPending}
          data-testid={`admin-rate-input-${currency}`}
        />
        {rails && limits && <Needed rails={rails} limits={limits} />}
        {isOpen && (
          <>
            <Textarea
              ref={reasonField}
              label={rails || isScheduled ? t`Motivo` : t`Motivo (opcional)`}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              maxLength={reasonMax}
              autosize
              minRows={2}
              error={failed('reason') ?? (reason.trim() === '' ? missing.reason : undefined)}
              disabled={save.isPending}
              data-testid={`admin-rate-reason-${currency}`}
            />
            <div>
              <Text fz="sm" fw={500} id={`rate-when-${currency}`} mb={4}>
                <Trans>Cuándo</Trans>
              </Text>
              <SegmentedControl
                aria-labelledby={`rate-when-${currency}`}
                fullWidth
                value={when}
                onChange={(value) => setWhen(value as When)}
                data={[
                  { value: 'now', label: t`Ahora` },
                  { value: 'at', label: t`A una hora` },
                ]}
                disabled={save.isPending}
                data-testid={`admin-rate-when-${currency}`}
              />
            </div>
            {isScheduled && (
              <TextInput
                ref={hourField}
                type="datetime-local"
                label={t`Desde (${zone})`}
                description={t`America/La_Paz, UTC−4. Como máximo en 30 días.`}
                value={hour}
                onChange={(event) => setHour(event.currentTarget.value)}
                min={toLaPazField(Date.now())}
                max={toLaPazField(Date.now() + aheadMsMax)}
                error={failed('activateAt') ?? missing.hour}
                disabled={save.isPending}
                data-testid={`admin-rate-hour-${currency}`}
              />
            )}
          </>
        )}
        <Button
          type="submit"
          fullWidth
          variant={next === null ? 'default' : 'filled'}
          disabled={next === null}
          loading={save.isPending}
          data-testid={`admin-rate-save-${currency}`}
        >
          {rails ? t`Pedir confirmación` : isScheduled ? t`Programar tasa` : t`Actualizar tasa`}
        </Button>
        {!rails && (
          <Button
            variant="subtle"
            size="compact-sm"
            rightSection={more ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
            aria-expanded={more}
            onClick={() => setMore(!more)}
            data-testid={`admin-rate-more-${currency}`}
          >
            <Trans>Motivo y hora</Trans>
          </Button>
        )}
        {rails && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              save.reset();
              setEntry('');
              field.current?.focus();
            }}
            disabled={save.isPending}
          >
            <Trans>Cancelar</Trans>
          </Button>
        )}
      </Stack>
    </form>
  );
}

function Needed({ rails, limits }: { rails: readonly GuardRail[]; limits: Limits }) {
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`Este cambio necesita a dos personas`}
      p="sm"
      data-testid="admin-rate-needed"
    >
      <ul className={classes.rails}>
        {rails.map((rail) => (
          <li key={rail}>{guardRailMessage(rail, limits)}</li>
        ))}
      </ul>
      <Text mt={6} fz="inherit">
        <Trans>
          Revisa la cifra y escribe el motivo. Después lo tiene que confirmar otra persona de administración.
        </Trans>
      </Text>
    </Alert>
  );
}

/** What is wrong with the chosen hour, if anything. */
function hourProblem(at: string | null): { hour: string } | null {
  if (at === null) return { hour: t`Elige el día y la hora` };
  const aheadMs = Date.parse(at) - Date.now();
  if (aheadMs <= 0) return { hour: t`Elige una hora que todavía no haya pasado` };
  return aheadMs > aheadMsMax ? { hour: t`Elige una hora dentro de los próximos 30 días` } : null;
}
