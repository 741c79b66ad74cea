import { t } from '@lingui/core/macro';
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useHydrated } from '../lib/document.ts';

/** Switches between the light and the dark scheme; until it is used, the system decides. */
export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const chosen = useComputedColorScheme('light');
  // A page is built in light colours. Hydrated with other content, React would throw it away with what the server wrote into it.
  const scheme = useHydrated() ? chosen : 'light';
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      c="inherit"
      onClick={() => setColorScheme(other)}
      aria-label={other === 'dark' ? t`Usar colores oscuros` : t`Usar colores claros`}
    >
      {other === 'dark' ? <IconMoon size={20} aria-hidden /> : <IconSun size={20} aria-hidden />}
    </ActionIcon>
  );
}
