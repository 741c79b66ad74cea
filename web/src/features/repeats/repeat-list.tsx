import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconBellRinging, IconCalendarRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { RepeatView } from '#core/contracts/http/repeats';
import { type RepeatStart, repeatsQuery, useEndRepeat, usePauseRepeat, useSkipRepeat } from '../../data/repeats.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { fixedText, nextText, rhythmText } from './repeat-texts.ts';
import classes from './repeats.module.css';

const RepeatDialog = lazy(() => import('./repeat-dialog.tsx'));

/** 'Envíos que se repiten': each with its next date and amount, and the reminder that waits. */
export default function RepeatList({ onReview }: { onReview: (reminderId: string) => void }) {
  const list = useQuery(repeatsQuery);
  const [editing, setEditing] = useState<RepeatStart | null>(null);
  const add = () => setEditing({ recipientId: null });
  const any = (list.data?.length ?? 0) > 0;
  return (
    <Card component="section" aria-labelledby="repeats-title" data-testid="repeats">
      <Group justify="space-between" mb="md">
        <Title order={2} id="repeats-title">
          <Trans>Envíos que se repiten</Trans>
        </Title>
        {any && (
          <Button variant="default" onClick={add} data-testid="repeat-add">
            <Trans>Añadir</Trans>
          </Button>
        )}
      </Group>
      <QueryView query={list} loading={<LoadingRows rows={1} height={72} />}>
        {(repeats) =>
          repeats.length === 0 ? (
            <EmptyState
              icon={<IconCalendarRepeat aria-hidden />}
              action={
                <Button variant="default" onClick={add} data-testid="repeat-add">
                  <Trans>Repetir un envío</Trans>
                </Button>
              }
            >
              <Trans>¿Envías cada mes? Te lo recordamos con la tasa del día y pagas con un toque.</Trans>
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {repeats.map((repeat) => (
                <Row
                  key={repeat.id}
                  repeat={repeat}
                  onReview={onReview}
                  onChange={() =>
                    setEditing({
                      ...repeat,
                      repeatId: repeat.id,
                      recipientId: repeat.recipient.removed ? null : repeat.recipient.id,
                    })
                  }
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {editing && (
        <LazyPart>
          <RepeatDialog start={editing} onClose={() => setEditing(null)} />
        </LazyPart>
      )}
    </Card>
  );
}

interface RowProps {
  repeat: RepeatView;
  onReview: (reminderId: string) => void;
  onChange: () => void;
}

function Row({ repeat, onReview, onChange }: RowProps) {
  const [ending, setEnding] = useState(false);
  const pause = usePauseRepeat(repeat.id);
  const { state, recipient } = repeat;
  const paused = state === 'paused';
  const name = recipient.name;
  const next = nextText(repeat);
  return (
    <li className={classes.row} data-testid="repeat" data-repeat-id={repeat.id} data-state={state}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <div>
          <Text fw={600}>{name}</Text>
          <Text fz="sm" c="dimmed">
            {rhythmText(repeat)} · {recipient.bankName}
          </Text>
        </div>
        <Text fw={600} className="cq-num" ta="right">
          {fixedText(repeat)}
        </Text>
      </Group>
      {recipient.removed ? (
        <Text fz="sm" c="var(--cq-bad)">
          <Trans>Ya no está en tu lista de destinatarios. Elige a otra persona para retomarlo.</Trans>
        </Text>
      ) : paused ? (
        <Badge variant="light" color="gray">
          <Trans>En pausa</Trans>
        </Badge>
      ) : (
        <Text fz="sm">
          <Trans>Próximo aviso: {next}</Trans>
        </Text>
      )}
      {repeat.reminder && <Waiting repeat={repeat} reminder={repeat.reminder} onReview={onReview} />}
      <Group gap={4} className={classes.actions}>
        <Button
          variant="subtle"
          size="compact-md"
          onClick={onChange}
          aria-label={t`Cambiar el envío a ${name} que se repite`}
        >
          <Trans>Cambiar</Trans>
        </Button>
        {!recipient.removed && (
          <Button
            variant="subtle"
            size="compact-md"
            loading={pause.isPending}
            onClick={() => pause.mutate(!paused, { onError: notChanged })}
            aria-label={
              paused ? t`Retomar el envío a ${name} que se repite` : t`Pausar el envío a ${name} que se repite`
            }
            data-testid="repeat-pause"
          >
            {paused ? t`Retomar` : t`Pausar`}
          </Button>
        )}
        {!paused && !repeat.reminder && !recipient.removed && <SkipButton repeat={repeat} period={repeat.nextDay} />}
        <Button
          variant="subtle"
          color="red"
          size="compact-md"
          onClick={() => setEnding(true)}
          aria-label={t`Terminar el envío a ${name} que se repite`}
          data-testid="repeat-end"
        >
          <Trans>Terminar</Trans>
        </Button>
      </Group>
      {ending && <ConfirmEnd repeat={repeat} onClose={() => setEnding(false)} />}
    </li>
  );
}

const notChanged = (error: Error) => toastError(t`No se pudo cambiar`, errorMessage(error));

/** The reminder that can be paid now. */
function Waiting({
  repeat,
  reminder,
  onReview,
}: Pick<RowProps, 'repeat' | 'onReview'> & { reminder: NonNullable<RepeatView['reminder']> }) {
  const { name } = repeat.recipient;
  return (
    <div className={classes.waiting}>
      <Group gap="xs" wrap="nowrap">
        <IconBellRinging size={20} color="var(--cq-wait)" aria-hidden style={{ flex: 'none' }} />
        <Text fz="sm">
          <Trans>Toca ahora, y vale hasta el próximo aviso.</Trans>
        </Text>
      </Group>
      <Group gap="xs">
        <Button
          size="compact-md"
          onClick={() => onReview(reminder.id)}
          aria-label={t`Revisar y pagar el envío a ${name}`}
          data-testid="repeat-review"
        >
          <Trans>Revisar y pagar</Trans>
        </Button>
        <SkipButton repeat={repeat} period={reminder.period} />
      </Group>
    </div>
  );
}

function SkipButton({ repeat, period }: { repeat: RepeatView; period: string }) {
  const skip = useSkipRepeat(repeat.id);
  const { name } = repeat.recipient;
  const monthly = repeat.every === 'month';
  return (
    <Button
      variant="subtle"
      size="compact-md"
      loading={skip.isPending}
      onClick={() =>
        skip.mutate(period, {
          onError: notChanged,
          onSuccess: (skipped) => {
            const next = nextText(skipped);
            toastDone(t`Esta vez no`, t`Próximo aviso: ${next}.`);
          },
        })
      }
      aria-label={monthly ? t`Saltar este mes el envío a ${name}` : t`Saltar esta vez el envío a ${name}`}
      data-testid="repeat-skip"
    >
      {monthly ? t`Saltar este mes` : t`Saltar esta vez`}
    </Button>
  );
}

function ConfirmEnd({ repeat, onClose }: { repeat: RepeatView; onClose: () => void }) {
  const end = useEndRepeat(repeat.id);
  const { name } = repeat.recipient;
  return (
    <Dialog opened onClose={onClose} title={t`¿Terminar el envío a ${name} que se repite?`}>
      <Stack>
        <Text>
          <Trans>No te lo recordaremos más. Los envíos que ya hiciste no cambian.</Trans>
        </Text>
        {end.error && (
          <Text c="red" role="alert">
            {errorMessage(end.error)}
          </Text>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={onClose}>
            <Trans>Seguir repitiendo</Trans>
          </Button>
          <Button
            color="red"
            loading={end.isPending}
            onClick={() => end.mutate(undefined, { onSuccess: onClose })}
            data-testid="repeat-end-confirm"
          >
            <Trans>Terminar</Trans>
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
