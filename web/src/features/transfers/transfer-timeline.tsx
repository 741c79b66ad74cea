import { Text, Timeline } from '@mantine/core';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatMoment } from '../../lib/dates.ts';
import { expectedSteps, stepWord } from './transfer-words.ts';

/** Every step so far with its time, then what is expected. A step that comes while it is looked at pulses once. */
export function TransferTimeline({ transfer }: { transfer: TransferView }) {
  const { timeline } = transfer;
  const [seenAtFirst] = useState(timeline.length);
  const expected = expectedSteps(transfer);
  return (
    <section aria-label="Historia del envío">
      <Timeline
        active={timeline.length - 1}
        bulletSize={18}
        lineWidth={2}
        styles={{ itemTitle: { lineHeight: 1.3 } }}
        data-testid="transfer-timeline"
      >
        {timeline.map((step, index) => (
          <Timeline.Item
            key={`${step.state} ${step.at}`}
            title={stepWord(step.state, transfer)}
            lineVariant={index === timeline.length - 1 ? 'dashed' : 'solid'}
            classNames={index >= seenAtFirst ? { itemBullet: 'cq-pulse' } : undefined}
            data-testid="timeline-step"
            data-state={step.state}
          >
            <Text c="dimmed" fz="sm">
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
        {timeline.length > seenAtFirst ? stepWord(transfer.state, transfer) : ''}
      </div>
    </section>
  );
}
