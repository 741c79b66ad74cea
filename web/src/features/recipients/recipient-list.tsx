import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Group, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { RecipientView } from '#core/contracts/http/recipients';
import { openRecipientParam } from '#core/contracts/page-addresses';
import { recipientsQuery } from '../../data/recipients.ts';
import { toastDone } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { RecipientEditor } from './recipient-form.tsx';
import classes from './recipients.module.css';

// Comes when a recipient is looked at.
const RecipientDetail = lazy(async () => ({ default: (await import('./recipient-detail.tsx')).RecipientDetail }));

interface Props {
  /** Gets the recipient to send to. */
  onChosen: (id: string, askedFor: boolean) => void;
  /** The sender wants to be reminded each month to send something. */
  onSchedule?: (recipient: RecipientView) => void;
}

/** 'Mis Destinatarios'. */
export function RecipientList({ onChosen, onSchedule }: Props) {
  const [adding, setAdding] = useState(false);
  const [search, setSearch] = useSearchParams();
  const detailId = search.get(openRecipientParam);
  const setDetailId = (id: string | null) =>
    setSearch(
      (now) => {
        if (id) now.set(openRecipientParam, id);
        else now.delete(openRecipientParam);
        return now;
      },
      { preventScrollReset: true, replace: id === null },
    );
  const query = useQuery(recipientsQuery);
  const { data } = query;
  const detail = data?.find((recipient) => recipient.id === detailId);
  const addButton = (
    <Button
      variant="default"
      leftSection={<IconUserPlus size={20} aria-hidden />}
      onClick={() => setAdding(true)}
      data-testid="recipient-add"
    >
      <Trans>Añadir destinatario</Trans>
    </Button>
  );
  return (
    <Card component="section" aria-labelledby="recipients-title">
      <Group justify="space-between" mb="md">
        <Title order={2} id="recipients-title">
          <Trans>Mis Destinatarios</Trans>
        </Title>
        {data && data.length > 0 && addButton}
      </Group>
      <QueryView query={query} loading={<LoadingRows rows={3} height={48} />}>
        {(recipients) =>
          recipients.length === 0 ? (
            <EmptyState icon={<IconUsers aria-hidden />} action={addButton}>
              <Trans>No tienes destinatarios registrados</Trans>
            </EmptyState>
          ) : (
            <Recipients recipients={recipients} onOpen={setDetailId} />
          )
        }
      </QueryView>
      <AddRecipient opened={adding} onClose={() => setAdding(false)} onAdded={(added) => onChosen(added.id, false)} />
      {detail && (
        <LazyPart>
          <RecipientDetail
            key={detail.id}
            recipient={detail}
            opened
            onClose={() => setDetailId(null)}
            onSchedule={onSchedule}
            onSend={(recipient) => {
              setDetailId(null);
              onChosen(recipient.id, true);
            }}
          />
        </LazyPart>
      )}
    </Card>
  );
}

function Recipients({ recipients, onOpen }: { recipients: RecipientView[]; onOpen: (id: string) => void }) {
  return useIsDesktop() ? (
    <Table.ScrollContainer minWidth={700} type="native">
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Nombre</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Relación</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Banco</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Cuenta</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Ciudad</Trans>
            </Table.Th>
            <Table.Th>
              <span className="cq-hidden">
                <Trans>Acciones</Trans>
              </span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {recipients.map((recipient) => (
            <Table.Tr key={recipient.id} data-testid="recipient-row" data-recipient-id={recipient.id}>
              <Table.Td fw={600}>{recipient.name}</Table.Td>
              <Table.Td>{recipient.relationship || t`Familiar`}</Table.Td>
              <Table.Td>{recipient.bankName}</Table.Td>
              <Table.Td className="cq-num">{recipient.bankAccount}</Table.Td>
              <Table.Td>{recipient.city}</Table.Td>
              <Table.Td ta="right">
                <DetailsButton recipient={recipient} onOpen={onOpen} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  ) : (
    <Stack gap="xs">
      {recipients.map((recipient) => (
        <UnstyledButton
          key={recipient.id}
          className={classes.card}
          onClick={() => onOpen(recipient.id)}
          data-testid="recipient-row"
          data-recipient-id={recipient.id}
        >
          <div>
            <Text fw={600}>{recipient.name}</Text>
            <Text c="dimmed">
              {recipient.relationship || t`Familiar`} · {recipient.bankName}
            </Text>
          </div>
          <IconChevronRight size={20} aria-hidden />
        </UnstyledButton>
      ))}
    </Stack>
  );
}

function DetailsButton({ recipient, onOpen }: { recipient: RecipientView; onOpen: (id: string) => void }) {
  const { id, name } = recipient;
  return (
    <Button variant="subtle" size="compact-md" onClick={() => onOpen(id)} aria-label={t`Ver detalles de ${name}`}>
      <Trans>Ver detalles</Trans>
    </Button>
  );
}

/** The dialog that adds a recipient to the list, or changes the given one. `onAdded` also gets one that was in it already. */
export function AddRecipient(props: {
  opened: boolean;
  recipient?: RecipientView | undefined;
  onClose: () => void;
  onAdded: (recipient: RecipientView) => void;
}) {
  const wide = useIsDesktop();
  const { recipient: changed } = props;
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title={changed ? changed.name : t`Añadir nuevo destinatario`}
      size="lg"
      fullScreen={!wide}
      closeOnClickOutside={false}
    >
      <RecipientEditor
        recipient={changed ?? null}
        onCancel={props.onClose}
        onSaved={(recipient, isKnown) => {
          const { name } = recipient;
          if (changed) toastDone(t`Destinatario actualizado`, t`Los envíos ya hechos conservan sus datos.`);
          else if (!isKnown) toastDone(t`Destinatario registrado`, t`${name} ya está en tu lista.`);
          props.onAdded(recipient);
          props.onClose();
        }}
      />
    </Dialog>
  );
}
