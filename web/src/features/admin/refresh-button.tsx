import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { refreshPanel } from '../../data/admin-panel.ts';
import { useMay } from '../../data/permission.ts';
import { adminCall } from '../../lib/admin-http.ts';
import { type CallOutput, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../lib/toast.ts';

/** Has the server read every open transfer again from Stripe, and this page everything from the server. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const may = useMay();
  const refresh = useSingleMutation({
    mutationFn: async () => {
      const answer = await adminCall('refresh');
      await refreshPanel(queryClient);
      return answer;
    },
    onSuccess: (answer) => toastDone(t`Datos actualizados`, refreshedText(answer)),
    onError: (error) => toastError(t`No se pudieron actualizar los datos`, errorMessage(error)),
  });
  if (!may('refresh')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={refresh.isPending}
      onClick={() => refresh.mutate()}
      data-testid="admin-refresh"
    >
      <Trans>Actualizar datos</Trans>
    </Button>
  );
}

/** What the answer's own Spanish message says, in the reader's language. */
function refreshedText({ count, sourcesAsked }: CallOutput<'refresh'>): string {
  const transfers =
    count === 0
      ? t`No hay transferencias abiertas.`
      : plural(count, { one: 'Se revisa # transferencia abierta.', other: 'Se revisan # transferencias abiertas.' });
  const sources = sourcesAsked
    ? t`Se consultan las fuentes de tasas.`
    : t`Las fuentes de tasas se consultaron hace menos de un minuto.`;
  return `${transfers} ${sources}`;
}
