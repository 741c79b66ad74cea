import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';

/** The mark: a runner's chevron woven from three bands. Ornament only; the name stands beside it. */
export function Mark({ size = 28 }: { size?: number }) {
  return <img src="/mark.svg" width={size} height={size} alt="" />;
}

/** Mark and name, as in the navigation bar and the footer. */
export function Brand({ size = 28 }: { size?: number }) {
  return (
    <Group gap={10} wrap="nowrap" component="span">
      <Mark size={size} />
      <Text component="span" className="cq-big" fz={size * 0.8} lh={1}>
        <Trans>Chasqui</Trans>
      </Text>
    </Group>
  );
}
