import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { arrivalTimeFor, quarterHours, roundedUp } from '#core/transfers/arrival-times';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { arrivalTimesQuery } from '../../data/rates.ts';
import { formatHour } from '../../lib/format/dates.ts';
import { formatLength } from '../../lib/format/numbers.ts';

const said = (minutes: number) => {
  const { value, unit } = roundedUp(minutes);
  return formatLength(value, unit);
};

/** How soon the last payments to this bank arrived, as measured; nothing while too few are known. */
export function MeasuredArrival({ bank }: { bank: string }) {
  const data = useOptionalQuery(arrivalTimesQuery);
  const time = data && arrivalTimeFor(data.times, bank, new Date());
  if (!time) return null;
  const { count, quarter } = time;
  const [half, most] = [said(time.medianMinutes), said(time.ninetiethMinutes)];
  return (
    <Text fz="sm" c="dimmed" data-testid="measured-arrival">
      <Trans>
        Medido en los últimos {count} envíos a {bank}: la mitad llegó en {half} o menos, 9 de cada 10 en {most} o menos.
      </Trans>{' '}
      {quarter !== null && <PaidBetween quarter={quarter} />}
    </Text>
  );
}

function PaidBetween({ quarter }: { quarter: number }) {
  const from = formatHour(quarter * quarterHours);
  const until = formatHour((quarter + 1) * quarterHours);
  return (
    <Trans>
      Son los pagados a esta hora, entre las {from} y las {until} de Bolivia.
    </Trans>
  );
}
