import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { useState } from 'react';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { pushQuery, useSetPush } from '../../data/push.ts';
import { canBeNotified, pushRefusalText, pushState } from '../../lib/push.ts';
import { localStore } from '../../lib/storage.ts';

/** The transfer after which this browser was asked. */
const offeredEntry = 'chasqui_notify_offered';

/** Offers, once on each device, to tell of a transfer that was just paid. Only the press has the browser ask. */
export default function NotifyOffer({ transferId }: { transferId: string }) {
  const [offers] = useState(() => isOfferedAfter(transferId));
  return offers ? <Offer transferId={transferId} /> : null;
}

/** After the first payment here, as long as its page is open or loaded again; who answered the browser's question is not asked. */
function isOfferedAfter(transferId: string): boolean {
  const last = localStore.getItem(offeredEntry);
  return (last === null || last === transferId) && canBeNotified() && Notification.permission === 'default';
}

function Offer({ transferId }: { transferId: string }) {
  const data = useOptionalQuery(pushQuery);
  const { mutate, isPending, isSuccess, error } = useSetPush();
  const publicKey = data?.publicKey ?? null;
  if (!data || publicKey === null) return null;
  if (isSuccess)
    return (
      <Text fz="sm" c="var(--cq-good)" role="status">
        {t`Listo: te avisaremos en este dispositivo.`}
      </Text>
    );
  if (pushState(data) !== 'off' && !error) return null;
  return (
    <Stack gap={4} align="center" ref={() => localStore.setItem(offeredEntry, transferId)}>
      <Button
        variant="default"
        loading={isPending}
        onClick={() => mutate({ on: true, publicKey })}
        leftSection={<IconBellRinging size={18} aria-hidden />}
        data-testid="notify-offer"
      >
        {t`Avisarme en este dispositivo`}
      </Button>
      {error && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {pushRefusalText(error)}
        </Text>
      )}
    </Stack>
  );
}
