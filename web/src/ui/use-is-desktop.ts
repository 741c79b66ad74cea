import { useMediaQuery } from '@mantine/hooks';

/** Whether there is room for tables; below it lists are cards. */
export function useIsDesktop(): boolean {
  return useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false });
}
