import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Tabs, Text } from '@mantine/core';
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import { useRemoveRecipient } from '../../data/recipients.ts';
import { toastDone } from '../../lib/toast.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { Dialog, useReturnFocus } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { NameCheck } from '../shared/name-check.tsx';
import { RepeatOffer } from '../shared/repeat-offer.tsx';
import { RecipientEditor } from './recipient-form.tsx';
import classes from './recipients.module.css';

interface Props {
  recipient: RecipientView;
  opened: boolean;
  onClose: () => void;
  onSend: (recipient: RecipientView) => void;
  /** The sender wants to be reminded each month to send something. */
  onSchedule?: ((recipient: RecipientView) => void) | undefined;
}

/** One recipient: the details, and after pressing Editar the form to change them. */
export function RecipientDetail({ recipient, opened, onClose, onSend, onSchedule }: Props) {
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const wide = useIsDesktop();
  useReturnFocus();
  if (removing) return <ConfirmRemoval recipient={recipient} onKeep={() => setRemoving(false)} onRemoved={onClose} />;
  return (
    <Dialog opened={opened} ownAddress onClose={onClose} title={recipient.name} size="lg" fullScreen={!wide}>
      <Tabs value={editing ? 'edit' : 'details'} onChange={(value) => setEditing(value === 'edit')} keepMounted={false}>
        <Tabs.List grow mb="md">
          <Tabs.Tab value="details" fz="md">
            <Trans>Detalles</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="edit" fz="md" disabled={!editing}>
            <Trans>Editar</Trans>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="details">
          <Stack gap="lg">
            {recipient.nameCheck && (
              <div aria-live="polite">
                <NameCheck recipient={recipient} onCorrect={() => setEditing(true)} />
              </div>
            )}
            <Details recipient={recipient} />
            {onSchedule && <RepeatOffer onClick={() => onSchedule(recipient)} />}
            <div className={`cq-dialog-actions ${classes.actions}`}>
              <Button
                variant="subtle"
                color="red"
                px="xs"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => setRemoving(true)}
                data-testid="recipient-remove"
              >
                <Trans>Quitar</Trans>
              </Button>
              <Button variant="default" onClick={onClose}>
                <Trans>Cerrar</Trans>
              </Button>
              <Button
                variant="default"
                leftSection={<IconPencil size={18} aria-hidden />}
                onClick={() => setEditing(true)}
                data-testid="recipient-edit"
              >
                <Trans>Editar</Trans>
              </Button>
              <Button
                className={classes.send}
                leftSection={<IconSend size={18} aria-hidden />}
                onClick={() => onSend(recipient)}
                data-testid="recipient-send"
              >
                <Trans>Enviar Dinero</Trans>
              </Button>
            </div>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="edit">
          <RecipientEditor
            recipient={recipient}
            onCancel={() => setEditing(false)}
            onSaved={() => {
              toastDone(t`Destinatario actualizado`, t`Los envíos ya hechos conservan sus datos.`);
              setEditing(false);
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

function Details({ recipient }: { recipient: RecipientView }) {
  const rows = [
    [t`Relación`, recipient.relationship || t`Familiar`],
    [t`Número de CI`, recipient.ci],
    [t`Teléfono`, recipient.phone],
    [t`Banco`, recipient.bankName],
    [
      t`Cuenta`,
      <span key="account" className="cq-num">
        {recipient.bankAccount}
      </span>,
    ],
    [t`Dirección`, recipient.address],
    [t`Ciudad`, recipient.city],
    [t`Email`, recipient.email || t`Sin email`],
  ] as const;
  return (
    <DataList values="beside" labelWidth={130} divided>
      {rows.map(([label, value]) => (
        <DataItem key={label} label={label}>
          {value}
        </DataItem>
      ))}
    </DataList>
  );
}

function ConfirmRemoval(props: { recipient: RecipientView; onKeep: () => void; onRemoved: () => void }) {
  const remove = useRemoveRecipient();
  const { name } = props.recipient;
  return (
    <Dialog opened onClose={props.onKeep} title={t`¿Quitar a ${name} de tu lista?`}>
      <Stack>
        <Text>
          <Trans>
            Los envíos que ya hiciste no cambian. Para enviarle otra vez tendrás que añadir sus datos de nuevo.
          </Trans>
        </Text>
        {remove.error && (
          <Text c="red" role="alert">
            <Trans>No se pudo quitar. Intenta de nuevo.</Trans>
          </Text>
        )}
        <div className="cq-dialog-actions">
          <Button variant="default" onClick={props.onKeep} disabled={remove.isPending}>
            <Trans>Cancelar</Trans>
          </Button>
          <Button
            color="red"
            disabled={remove.isPending}
            onClick={() =>
              remove.mutate(props.recipient.id, {
                onSuccess: () => {
                  toastDone(t`Destinatario quitado`, t`${name} ya no está en tu lista.`);
                  props.onRemoved();
                },
              })
            }
            data-testid="recipient-remove-confirm"
          >
            {remove.isPending ? t`Quitando...` : t`Quitar`}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
