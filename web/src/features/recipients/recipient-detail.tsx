import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import { useRemoveRecipient } from '../../data/recipients.ts';
import { toastDone } from '../../lib/toast.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useReturnFocus } from '../../ui/return-focus.ts';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { RecipientEditor } from './recipient-form.tsx';
import classes from './recipients.module.css';

interface Props {
  recipient: RecipientView;
  opened: boolean;
  onClose: () => void;
  onSend: (recipient: RecipientView) => void;
}

/** One recipient: the details, and after pressing Editar the form to change them. */
export function RecipientDetail({ recipient, opened, onClose, onSend }: Props) {
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const wide = useIsDesktop();
  useReturnFocus();
  if (removing) return <ConfirmRemoval recipient={recipient} onKeep={() => setRemoving(false)} onRemoved={onClose} />;
  return (
    <Dialog opened={opened} onClose={onClose} title={recipient.name} size="lg" fullScreen={!wide}>
      <Tabs value={editing ? 'edit' : 'details'} onChange={(value) => setEditing(value === 'edit')} keepMounted={false}>
        <Tabs.List grow mb="md">
          <Tabs.Tab value="details" fz="md">
            Detalles
          </Tabs.Tab>
          <Tabs.Tab value="edit" fz="md" disabled={!editing}>
            Editar
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="details">
          <Stack gap="lg">
            <Details recipient={recipient} />
            <div className={`cq-dialog-actions ${classes.actions}`}>
              <Button
                variant="subtle"
                color="red"
                px="xs"
                leftSection={<IconTrash size={18} aria-hidden />}
                onClick={() => setRemoving(true)}
                data-testid="recipient-remove"
              >
                Quitar
              </Button>
              <Button variant="default" onClick={onClose}>
                Cerrar
              </Button>
              <Button
                variant="default"
                leftSection={<IconPencil size={18} aria-hidden />}
                onClick={() => setEditing(true)}
                data-testid="recipient-edit"
              >
                Editar
              </Button>
              <Button
                className={classes.send}
                leftSection={<IconSend size={18} aria-hidden />}
                onClick={() => onSend(recipient)}
                data-testid="recipient-send"
              >
                Enviar Dinero
              </Button>
            </div>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="edit">
          <RecipientEditor
            recipient={recipient}
            onCancel={() => setEditing(false)}
            onSaved={() => {
              toastDone('Destinatario actualizado', 'Los envíos ya hechos conservan sus datos.');
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
    ['Relación', recipient.relationship || 'Familiar'],
    ['Número de CI', recipient.ci],
    ['Teléfono', recipient.phone],
    ['Banco', recipient.bankName],
    ['Cuenta', recipient.bankAccount],
    ['Dirección', recipient.address],
    ['Ciudad', recipient.city],
    ['Email', recipient.email || 'Sin email'],
  ] as const;
  return (
    <DataList values="beside" labelWidth={130} divided>
      {rows.map(([label, value]) => (
        <DataItem key={label} label={label}>
          {label === 'Cuenta' ? <span className="cq-num">{value}</span> : value}
        </DataItem>
      ))}
    </DataList>
  );
}

function ConfirmRemoval(props: { recipient: RecipientView; onKeep: () => void; onRemoved: () => void }) {
  const remove = useRemoveRecipient();
  return (
    <Dialog opened onClose={props.onKeep} title={`¿Quitar a ${props.recipient.name} de tu lista?`}>
      <Stack>
        <Text>Los envíos que ya hiciste no cambian. Para enviarle otra vez tendrás que añadir sus datos de nuevo.</Text>
        {remove.error && (
          <Text c="red" role="alert">
            No se pudo quitar. Intenta de nuevo.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onKeep} disabled={remove.isPending}>
            Cancelar
          </Button>
          <Button
            color="red"
            disabled={remove.isPending}
            onClick={() =>
              remove.mutate(props.recipient.id, {
                onSuccess: () => {
                  toastDone('Destinatario quitado', `${props.recipient.name} ya no está en tu lista.`);
                  props.onRemoved();
                },
              })
            }
            data-testid="recipient-remove-confirm"
          >
            {remove.isPending ? 'Quitando...' : 'Quitar'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
