import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { IconAlarm, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ClockName } from '#core/complaints/clocks';
import type { ComplaintState, Finding, Regime, Remedy } from '#core/complaints/complaint';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { durationText, formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';

const clocks = {
  investigate: msg`Averiguar qué pasó`,
  tell: msg`Escribir el resultado`,
  answer: msg`Responder`,
  correct: msg`Corregir el error`,
} as const satisfies Record<ClockName, MessageDescriptor>;

const regimes = {
  reg_e: msg`Error según la Regulación E (Estados Unidos)`,
  psd2: msg`Queja según PSD2 (Unión Europea)`,
  own: msg`Queja sin plazo legal`,
} as const satisfies Record<Regime, MessageDescriptor>;

const states = {
  investigating: msg`Por investigar`,
  awaiting_approval: msg`Espera a una segunda persona`,
  correcting: msg`Por corregir`,
  closed: msg`Cerrado`,
  withdrawn: msg`Retirado por quien envía`,
} as const satisfies Record<ComplaintState, MessageDescriptor>;

const findings = {
  error: msg`Hubo un error`,
  no_error: msg`No hubo un error`,
  answered: msg`Respondido`,
} as const satisfies Record<Finding, MessageDescriptor>;

const remedies = {
  refund: msg`Devolver a la tarjeta`,
  fee_refund: msg`Devolver solo la comisión`,
  pay_again: msg`Pagar a la familia`,
  none: msg`Nada: ya está bien`,
} as const satisfies Record<Remedy, MessageDescriptor>;

export const clockLabel = (clock: ClockName): string => i18n._(clocks[clock]);
export const regimeLabel = (regime: Regime): string => i18n._(regimes[regime]);
const complaintStateLabel = (state: ComplaintState): string => i18n._(states[state]);
export const findingLabel = (finding: Finding): string => i18n._(findings[finding]);
export const remedyLabel = (remedy: Remedy): string => i18n._(remedies[remedy]);

type Clock = AdminComplaintView['clocks'][number];

/** All clocks of a report: what is due when, how much time is left, and what was done in time. */
export function Clocks({ one, now }: { one: AdminComplaintView; now: number }) {
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }} data-testid="complaint-clocks">
      {one.clocks.map((clock) => (
        <li key={clock.name} data-clock={clock.name}>
          <ClockLine clock={clock} now={now} />
        </li>
      ))}
    </Stack>
  );
}

const icons = { good: IconCircleCheck, wait: IconAlarm, bad: IconAlertTriangle, quiet: IconAlarm } as const;

function ClockLine({ clock, now }: { clock: Clock; now: number }) {
  const { tone, text } = standing(clock, now);
  const Icon = icons[tone];
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Icon size={18} aria-hidden style={{ flex: 'none', marginTop: 2, color: `var(--cq-${tone})` }} />
      <div>
        <Text fz="sm" fw={600}>
          {clockLabel(clock.name)}: <span style={{ color: `var(--cq-${tone})` }}>{text}</span>
        </Text>
        <Text fz="xs" c="dimmed" className="cq-num">
          {laPazTime(clock.due_at)}
        </Text>
      </div>
    </Group>
  );
}

/** How a clock stands, in words and in a tone. */
function standing({ due_at: dueAt, done_at: doneAt, begun }: Clock, now: number): { tone: Tone; text: string } {
  const due = Date.parse(dueAt);
  if (doneAt) {
    const done = formatLaPazMoment(doneAt);
    return Date.parse(doneAt) > due
      ? { tone: 'bad', text: t`hecho tarde, el ${done}` }
      : { tone: 'good', text: t`hecho el ${done}` };
  }
  if (!begun) return { tone: 'quiet', text: t`empieza con el resultado` };
  const left = durationText(due - now);
  if (left === '') {
    const late = durationText(now - due) || '1 min';
    return { tone: 'bad', text: t`vencido hace ${late}` };
  }
  return { tone: 'wait', text: t`quedan ${left}` };
}

const tones: Readonly<Record<AdminComplaintView['state'], Tone>> = {
  investigating: 'wait',
  awaiting_approval: 'wait',
  correcting: 'wait',
  closed: 'good',
  withdrawn: 'quiet',
};

/** Where a report stands; of a closed one with its result. */
export function ComplaintBadge({ one }: { one: AdminComplaintView }) {
  const label = complaintStateLabel(one.state);
  return (
    <ToneBadge tone={tones[one.state]} role="status">
      {one.state === 'closed' && one.finding ? `${label}: ${findingLabel(one.finding)}` : label}
    </ToneBadge>
  );
}

/** What was found, by whom, and what is done about it. */
export function Result({ one }: { one: AdminComplaintView }) {
  const { finding, remedy, amount, payout, explanation, found_by: by, approved_by: second, operation } = one;
  if (!finding) return null;
  const paid = payout && formatBolivianos(payout.amount);
  const back = amount && formatAmount(amount, one.transaction.currency);
  const found = one.found_at && laPazTime(one.found_at);
  return (
    <Section title={t`Resultado`}>
      <Stack gap={4} data-testid="complaint-result">
        <Text fw={600}>
          {findingLabel(finding)}
          {remedy && `: ${remedyLabel(remedy)}`}
          {paid ? ` (${paid})` : back && ` (${back})`}
        </Text>
        {payout && (
          <Text data-testid="complaint-payout">
            <Trans>
              A {payout.name}, {payout.bank_name}, cuenta {payout.bank_account}. Es pérdida nuestra.
            </Trans>
            {back && ` ${t`Después se devuelve la comisión: ${back}.`}`}
          </Text>
        )}
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{explanation}</Text>
        <Text fz="sm" c="dimmed">
          <Trans>
            Por {by}, el {found}
          </Trans>
          {second && ` · ${t`aprobado por ${second}`}`}
        </Text>
        {one.second_payout?.provider_reference && (
          <Text fz="sm" c="dimmed">
            <Trans>Referencia del banco: {one.second_payout.provider_reference}</Trans>
          </Text>
        )}
        {operation?.status === 'failed' && (
          <Text fz="sm" c="var(--cq-bad)">
            <Trans>La tarjeta no tomó la devolución.</Trans> {operation.last_error}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
