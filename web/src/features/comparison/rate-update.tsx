import { Alert, Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refreshComparison } from '../../data/comparison.ts';
import { paymentConfigQuery } from '../../data/payments.ts';
import { useSession } from '../../data/session.ts';
import { ApiFailure, call } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { updateFailed, updateMessage } from './comparison-messages.ts';

/** When rates are updated; for admins also the way to have it done now, and for everybody signed in while nothing is charged. */
export function RateUpdate() {
  const user = useSession().data?.user;
  const mode = useQuery(paymentConfigQuery).data?.mode ?? 'live';
  return (
    <Stack gap="sm">
      <Text c="dimmed">Las tasas se actualizan automáticamente cada 2 horas.</Text>
      {user && (user.role === 'admin' || mode !== 'live') && <ForcedUpdate />}
    </Stack>
  );
}

function ForcedUpdate() {
  const queryClient = useQueryClient();
  const update = useSingleMutation({
    mutationFn: () => call('updateRates', { body: {} }),
    onSuccess: () => refreshComparison(queryClient),
  });
  return (
    <Card padding="md">
      <Group justify="space-between">
        <Group gap="xs">
          <Badge id="rate-update-audience" size="lg" radius="sm" tt="none" fw={600} variant="light" color="sun">
            Solo dev
          </Badge>
          <Text>Consultar todas las fuentes ahora</Text>
        </Group>
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={update.isPending}
          onClick={() => update.mutate()}
          aria-describedby="rate-update-audience"
          data-testid="rate-update"
        >
          Actualizar tasas
        </Button>
      </Group>
      {/* Always there, so that a screen reader announces what comes into it. */}
      <div aria-live="polite" data-testid="rate-update-result">
        {update.isSuccess && <Outcome good={update.data.updated > 0} text={updateMessage(update.data)} />}
        {update.error && <Outcome good={false} text={failureText(update.error)} />}
      </div>
    </Card>
  );
}

function Outcome({ good, text }: { good: boolean; text: string }) {
  return (
    <Alert
      mt="sm"
      color={good ? 'green' : 'red'}
      icon={good ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
    >
      {text}
    </Alert>
  );
}

/** The message of a failed update; who asked too often is also told to wait. */
const failureText = (error: Error) =>
  error instanceof ApiFailure && error.code === 'too_many_requests'
    ? `${updateFailed} ${error.userMessage}`
    : updateFailed;
