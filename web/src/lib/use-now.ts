import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** The time in ms, half a minute old at most, so that ages on screen go on growing. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true });
  return now;
}
