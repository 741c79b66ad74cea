import { Skeleton, Stack } from '@mantine/core';

/** Height of the drawing in px, without its legend. */
export const rateChartHeight = 260;

/** The chart while its file or its data are on their way, in its own shape. */
export function RateChartLoading() {
  return (
    <Stack gap="sm" aria-busy="true" role="status" aria-label="Cargando">
      <Skeleton height={22} width={240} maw="100%" />
      <Skeleton height={rateChartHeight} />
    </Stack>
  );
}
