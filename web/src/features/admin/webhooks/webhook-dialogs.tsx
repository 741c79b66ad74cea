import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Checkbox, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WebhookView } from '#core/contracts/http/webhooks';
import { type WebhookEventType, webhookEventTypes } from '#core/webhooks/events';
import { useCreateWebhook, useRotateSecret, useUpdateWebhook } from '../../../data/webhooks.ts';
import { fieldMessage } from '../../../lib/field-messages.ts';
import { ApiFailure, errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

const lengths = { url: 500, description: 80 };

/** Adds an address, or changes what one is sent. `onSecret` gets the secret of a new one. */
export function WebhookDialog({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: WebhookView | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const create = useCreateWebhook();
  const update = useUpdateWebhook(webhook?.id ?? '');
  const { error, isPending } = webhook ? update : create;
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<string[]>(webhook?.events ?? [...webhookEventTypes]);
  const [isAsked, setIsAsked] = useState(false);
  const problem = error instanceof ApiFailure ? error.problems.url : undefined;
  const urlError = problem ? fieldMessage(problem) : isAsked && url.trim() === '' && t`Escribe la dirección`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (url.trim() === '' || events.length === 0) return;
    const content = { description, events: events as WebhookEventType[] };
    if (webhook) {
      const done = () => {
        onClose();
        toastDone(t`Dirección guardada`, t`Vale para los avisos que vengan.`);
      };
      update.mutate({ ...content, enabled: webhook.enabled }, { onSuccess: done });
    } else create.mutate({ ...content, url }, { onSuccess: ({ secret }) => onSecret(secret) });
  };
  return (
    <Dialog
      opened
      onClose={() => !isPending && onClose()}
      title={webhook ? t`Editar la dirección` : t`Añadir una dirección`}
      data-testid="webhook-dialog"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t`Dirección`}
            description={t`Con https. Recibe un POST por cada aviso.`}
            type="url"
            maxLength={lengths.url}
            value={url}
            readOnly={webhook !== null}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={urlError}
            data-testid="webhook-url"
          />
          <TextInput
            label={t`Para qué es`}
            maxLength={lengths.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            data-testid="webhook-description"
          />
          <Checkbox.Group
            label={t`Avisos`}
            value={events}
            onChange={setEvents}
            error={isAsked && events.length === 0 && t`Elige al menos un aviso`}
          >
            <Stack gap={6} mt={6}>
              {webhookEventTypes.map((type) => (
                <Checkbox key={type} value={type} label={<Code>{type}</Code>} />
              ))}
            </Stack>
          </Checkbox.Group>
          {error && !problem && (
            <Alert color="red" role="alert">
              {errorMessage(error)}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={isPending} data-testid="webhook-save">
              {webhook ? t`Guardar` : t`Añadir`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Shows a secret this once; `webhook`: one that gets a new secret when somebody agrees. */
export function SecretDialog({
  webhook,
  made,
  onClose,
}: {
  webhook: WebhookView | null;
  made: string | null;
  onClose: () => void;
}) {
  const rotate = useRotateSecret();
  const secret = made ?? rotate.data?.secret;
  return (
    <Dialog
      opened
      onClose={() => !rotate.isPending && onClose()}
      title={secret ? t`Tu secreto` : t`Secreto nuevo`}
      closeOnClickOutside={!secret}
      data-testid="webhook-secret-dialog"
    >
      <Stack gap="md">
        {secret ? (
          <>
            <Text>
              <Trans>Cópialo ahora: no se vuelve a mostrar. Con él se comprueba la firma de cada aviso.</Trans>
            </Text>
            <CopyValue label={t`secreto`} value={secret} testid="webhook-secret-copy">
              <Code data-testid="webhook-secret">{secret}</Code>
            </CopyValue>
          </>
        ) : (
          <Text>
            <Trans>El secreto de ahora sigue firmando 24 horas más, para que puedas cambiarlo sin perder avisos.</Trans>
          </Text>
        )}
        {rotate.error && (
          <Alert color="red" role="alert">
            {errorMessage(rotate.error)}
          </Alert>
        )}
        <Group>
          {secret ? (
            <Button onClick={onClose} data-testid="webhook-secret-done">
              <Trans>Ya lo guardé</Trans>
            </Button>
          ) : (
            <Button
              loading={rotate.isPending}
              onClick={() => webhook && rotate.mutate(webhook.id)}
              data-testid="webhook-rotate-confirm"
            >
              <Trans>Hacer un secreto nuevo</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
