import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** The time in ms, `everyMs` old at most, so that ages on screen go on growing. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), everyMs, { autoInvoke: true });
  return now;
}
