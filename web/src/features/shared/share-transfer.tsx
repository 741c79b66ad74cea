import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconBrandWhatsapp, IconCheck, IconCopy, IconExternalLink, IconMail, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { trackingLinkQuery } from '../../data/tracking.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { trackingPath } from '../../lib/paths.ts';

type Shared = Pick<TransferView, 'id' | 'bolivianos'>;

/** The link by which the family follows a transfer. It is made when the sender wants it, or at once where it is `ready`. */
export function ShareTransfer({ transfer, ready = false }: { transfer: Shared; ready?: boolean }) {
  const [wanted, setWanted] = useState(ready);
  const { data, error, isFetching } = useQuery({ ...trackingLinkQuery(transfer.id), enabled: wanted });
  if (data) return <Ways transfer={transfer} token={data.token} />;
  return (
    <div>
      <Button
        variant="light"
        leftSection={<IconShare size={18} aria-hidden />}
        loading={isFetching}
        onClick={() => setWanted(true)}
        data-testid="share-transfer"
      >
        <Trans>Avisar a mi familia</Trans>
      </Button>
      {error && !isFetching && (
        <Text c="var(--cq-bad)" fz="sm" role="alert">
          {errorMessage(error)}
        </Text>
      )}
    </div>
  );
}

/** Whatever the sender sends messages with. */
function Ways({ transfer, token }: { transfer: Shared; token: string }) {
  const url = `${window.location.origin}${trackingPath(token)}`;
  // Some programs that send it show a no-break space as a sign of its own.
  const amount = formatBolivianos(transfer.bolivianos).replaceAll('\u00a0', ' ');
  const text = t`Te envié ${amount} con Chasqui. Aquí puedes ver cuándo llega y avisarme cuando lo tengas:`;
  const message = encodeURIComponent(`${text} ${url}`);
  const subject = encodeURIComponent(t`Te envié dinero con Chasqui`);
  const canShare = typeof navigator.share === 'function';
  return (
    <Stack gap="xs" component="section" aria-label={t`Avisar a mi familia`} data-testid="share-ways">
      <Text fw={600}>
        <Trans>Avisar a mi familia</Trans>
      </Text>
      <Text c="dimmed" fz="sm">
        <Trans>Con este enlace ven cuándo llega el dinero, sin tus datos ni los de la cuenta.</Trans>
      </Text>
      <Group gap="xs">
        {canShare && (
          <Button
            variant="light"
            leftSection={<IconShare size={18} aria-hidden />}
            // Closing the system's own window is no failure.
            onClick={() => navigator.share({ text, url }).catch(() => undefined)}
            data-testid="share-native"
          >
            <Trans>Compartir</Trans>
          </Button>
        )}
        <Button
          component="a"
          href={`https://wa.me/?text=${message}`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
          data-testid="share-whatsapp"
        >
          WhatsApp
        </Button>
        <Button
          component="a"
          href={`mailto:?subject=${subject}&body=${message}`}
          variant="default"
          leftSection={<IconMail size={18} aria-hidden />}
          data-testid="share-email"
        >
          <Trans>Correo</Trans>
        </Button>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={18} aria-hidden />}
          data-testid="share-open"
        >
          <Trans>Ver el seguimiento</Trans>
        </Button>
        <CopyButton value={url} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              onClick={copy}
              data-testid="share-copy"
              data-url={url}
            >
              <span aria-live="polite">{copied ? t`Copiado` : t`Copiar enlace`}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
