import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SendCurrency } from '#core/money/money';
import { useSetCurrency } from '../../data/account.ts';
import { useSession } from '../../data/session.ts';
import { Saved } from '../../ui/checked-form.tsx';

/** What the person reads in, and in which currency they pay unless they choose otherwise. */
export default function Preferences({ languageSwitch }: { languageSwitch: ReactNode }) {
  const { data: session } = useSession();
  const save = useSetCurrency();
  const kept = session?.user.preferredCurrency ?? null;
  // What is on its way shows at once, and goes back when it could not be kept.
  const shown = save.isPending ? save.variables : kept;
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text>
            <Trans>Idioma de las páginas y los correos</Trans>
          </Text>
          <Text fz="sm" c="dimmed">
            <Trans>Ahora en español</Trans>
          </Text>
        </div>
        {languageSwitch}
      </Group>
      <NativeSelect
        label={t`Moneda con la que empieza tu envío`}
        description={t`Puedes cambiarla en cada envío.`}
        data={[
          { value: '', label: t`La de mi último envío` },
          { value: 'EUR', label: t`Euros (EUR)` },
          { value: 'USD', label: t`Dólares (USD)` },
        ]}
        value={shown ?? ''}
        onChange={(event) => save.mutate((event.currentTarget.value || null) as SendCurrency | null)}
        data-testid="account-currency"
      />
      <Saved done={save.isSuccess ? t`Guardado` : null} error={save.error} />
    </Stack>
  );
}
