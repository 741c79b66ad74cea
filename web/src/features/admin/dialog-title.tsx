import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Title of a dialog or drawer in the type of headings; the element around it is the heading. */
export function DialogTitle({ children }: { children: ReactNode }) {
  return (
    <Text component="span" className="cq-big" fz="lg">
      {children}
    </Text>
  );
}
