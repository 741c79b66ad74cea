import { Text, Timeline } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferState } from '#core/transfers/states';
import { formatMoment } from '../../lib/dates.ts';
import { expectedSteps, stepLabel } from './transfer-labels.ts';
import classes from './transfer-timeline.module.css';

/** Steps after which the money does not arrive. */
const offStates: ReadonlySet<TransferState> = new Set([
  'rejected',
  'cancelled',
  'failed',
  'expired',
  'payout_failed',
  'refunding',
  'refunded',
]);

function StepIcon({ state }: { state: TransferState }) {
  const Icon = offStates.has(state) ? IconX : IconCheck;
  return <Icon size={14} stroke={2.5} aria-hidden />;
}

/** Every step so far with its time, then what is expected. A step that comes while it is looked at pulses once. */
export function TransferTimeline({ transfer }: { transfer: TransferView }) {
  const { timeline } = transfer;
  const [seenAtFirst] = useState(timeline.length);
  const expected = expectedSteps(transfer);
  return (
    <section aria-label="Historia del envío">
      <Timeline
        active={timeline.length - 1}
        bulletSize={24}
        lineWidth={2}
        classNames={{ itemTitle: classes.stepTitle }}
        data-testid="transfer-timeline"
      >
        {timeline.map((step, index) => (
          <Timeline.Item
            key={`${step.state} ${step.at}`}
            {...(offStates.has(step.state) && { color: 'red' })}
            bullet={<StepIcon state={step.state} />}
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
        ))}
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
