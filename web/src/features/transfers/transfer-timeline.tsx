import { t } from '@lingui/core/macro';
import { Text, Timeline } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferState } from '#core/transfers/states';
import { formatMoment } from '../../lib/format/dates.ts';
import { useNow } from '../../ui/hooks.ts';
import { expectedSteps, stepLabel } from './transfer-labels.ts';
import classes from './transfers.module.css';

/** Steps after which the family gets nothing for now. */
const failedStates: ReadonlySet<TransferState> = new Set([
  'rejected',
  'cancelled',
  'failed',
  'expired',
  'payout_failed',
]);

const looks = {
  done: { Icon: IconCheck, color: undefined },
  failed: { Icon: IconX, color: 'red' },
  /** Money that goes back as it should is no failure. */
  returning: { Icon: IconArrowBackUp, color: 'gray.7' },
} as const;

function lookOf({ timeline }: TransferView, index: number): (typeof looks)[keyof typeof looks] {
  const state = timeline[index]?.state;
  if (state === 'refunding' && timeline[index - 1]?.state === 'refunded') return looks.failed;
  if (state === 'refunding' || state === 'refunded') return looks.returning;
  return state && failedStates.has(state) ? looks.failed : looks.done;
}

/** Every step so far with its time, then what is expected. A step that comes while it is looked at pulses once. */
export function TransferTimeline({ transfer }: { transfer: TransferView }) {
  const { timeline } = transfer;
  const [seenAtFirst] = useState(timeline.length);
  const expected = expectedSteps(transfer, useNow());
  return (
    <section aria-label={t`Historia del envío`}>
      <Timeline
        active={timeline.length - 1}
        bulletSize={24}
        lineWidth={2}
        classNames={{ itemTitle: classes.stepTitle }}
        data-testid="transfer-timeline"
      >
        {timeline.map((step, index) => {
          const { Icon, color } = lookOf(transfer, index);
          return (
            <Timeline.Item
              key={`${step.state} ${step.at}`}
              {...(color && { color })}
              bullet={<Icon size={14} stroke={2.5} aria-hidden />}
              title={stepLabel(transfer, index)}
              lineVariant={index === timeline.length - 1 ? 'dashed' : 'solid'}
              classNames={index >= seenAtFirst ? { itemBullet: 'cq-pulse' } : undefined}
              data-testid="timeline-step"
              data-state={step.state}
            >
              <Text c="dimmed" fz="sm" className="cq-num">
                {formatMoment(step.at)}
              </Text>
            </Timeline.Item>
          );
        })}
        {expected.map(({ title, when }) => (
          <Timeline.Item
            key={title}
            title={
              <Text component="span" c="dimmed" inherit>
                {title}
              </Text>
            }
            lineVariant="dashed"
            data-testid="timeline-expected"
          >
            <Text c="dimmed" fz="sm">
              {when}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      <div className="cq-hidden" role="status">
        {timeline.length > seenAtFirst ? stepLabel(transfer, timeline.length - 1) : ''}
      </div>
    </section>
  );
}
