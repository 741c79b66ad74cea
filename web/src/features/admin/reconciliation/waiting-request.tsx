import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { BookRequestView } from '#core/contracts/http/reconciliation';
import { useDecideBookRequest } from '../../../data/reconciliation.ts';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';

/** What another admin asked for, and the answer of a second person; who asked only waits. */
export function WaitingRequest({ request, asked }: { request: BookRequestView; asked: string }) {
  const decide = useDecideBookRequest();
  const { data: session } = useSession();
  const isOwn = session?.user.id === request.requested_by_id;
  const { requested_by: person, reason } = request;
  const at = laPazTime(request.requested_at);
  const answer = (approve: boolean) => decide.mutate({ id: request.id, approve });
  return (
    <Alert color="yellow" title={asked} data-testid="books-request">
      <Stack gap="sm">
        <Text fz="sm">
          <Trans>
            Lo pidió {person} el {at}.
          </Trans>{' '}
          {reason}
        </Text>
        {isOwn ? (
          <Text fz="sm">{t`Lo tiene que decidir otra persona.`}</Text>
        ) : (
          <Group gap="sm">
            <Button loading={decide.isPending} onClick={() => answer(true)} data-testid="books-approve">
              <Trans>De acuerdo</Trans>
            </Button>
            <Button
              variant="default"
              disabled={decide.isPending}
              onClick={() => answer(false)}
              data-testid="books-decline"
            >
              <Trans>Rechazar</Trans>
            </Button>
          </Group>
        )}
        {decide.error && (
          <Text fz="sm" c="red" role="alert">
            {errorMessage(decide.error)}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
