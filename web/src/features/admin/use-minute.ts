import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

const minuteMs = 60_000;

/** The time, looked at once a minute: deadlines and ages move on without anybody touching the page. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), minuteMs, { autoInvoke: true });
  return now;
}
