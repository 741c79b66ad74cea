import { useMediaQuery } from '@mantine/hooks';

/** Whether there is room for tables; below it lists are cards. */
export function useWide(): boolean {
  return useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false });
}
