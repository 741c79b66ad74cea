import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What the person reads in. */
export default function Preferences({ languageSwitch }: { languageSwitch: ReactNode }) {
  return (
    <Group justify="space-between">
      <Text>
        <Trans>Idioma de las páginas y los correos</Trans>
      </Text>
      {languageSwitch}
    </Group>
  );
}
