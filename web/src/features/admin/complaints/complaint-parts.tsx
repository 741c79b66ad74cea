import { t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import { IconAlarm, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { durationText, formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { clockLabel, complaintStateLabel, findingLabel } from './complaint-labels.ts';

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
