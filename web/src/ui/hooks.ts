import { useInterval, useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';

/** Whether there is room for tables; below it lists are cards. */
export function useIsDesktop(): boolean {
  return useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false });
}

/** Whether the screen is a phone's: the bar's links are in a drawer, and each part of the panel is a page of its own. */
export function useIsPhone(): boolean {
  return !useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
}

/** The time in ms, `everyMs` old at most, so that ages on screen go on growing. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), everyMs, { autoInvoke: true });
  return now;
}
