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

/** A stepped diamond as woven into aguayos, with a number or an icon on it. Ornament: what it holds is said beside it. */
export function StepDiamond({ children, size = 56 }: { children: string; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" shapeRendering="crispEdges" aria-hidden="true">
      <path
        fill="#F2B705"
        d="M20 0h8v4h4v4h4v4h4v4h4v4h4v8h-4v4h-4v4h-4v4h-4v4h-4v4h-8v-4h-4v-4h-4v-4H8v-4H4v-4H0v-8h4v-4h4v-4h4V8h4V4h4z"
      />
      <path
        fill="#14213D"
        d="M20 4h8v4h4v4h4v4h4v4h4v8h-4v4h-4v4h-4v4h-4v4h-8v-4h-4v-4h-4v-4H8v-4H4v-8h4v-4h4v-4h4V8h4z"
      />
      <text
        x="24"
        y="30.500"
        textAnchor="middle"
        fontSize="18"
        fontWeight="700"
        fontFamily="var(--mantine-font-family-headings)"
        fill="#FFFFFF"
      >
        {children}
      </text>
    </svg>
  );
}
