import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { refreshPanel } from '../../../data/admin-overview.ts';
import { call, errorMessage } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../../lib/toast.ts';

/** Has the server read every open transfer again from Stripe, and this page everything from the server. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const refresh = useSingleMutation({
    mutationFn: async () => {
      const answer = await call('refresh');
      await refreshPanel(queryClient);
      return answer;
    },
    onSuccess: ({ message }) => toastDone('Datos actualizados', message),
    onError: (error) => toastError('No se pudieron actualizar los datos', errorMessage(error)),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={refresh.isPending}
      onClick={() => refresh.mutate()}
      data-testid="admin-refresh"
    >
      Actualizar datos
    </Button>
  );
}
