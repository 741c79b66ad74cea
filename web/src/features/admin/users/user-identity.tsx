import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Badge, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import {
  type IdentityDeclineReason,
  type IdentityLevel,
  identityDeclineReasons,
  type Tier,
} from '#core/accounts/tiers';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { adminUserAddress } from '#core/contracts/page-addresses';
import { useDecideIdentity } from '../../../data/admin-users.ts';
import { adminCall } from '../../../lib/admin-http.ts';
import { formatCalendarDay, formatLaPazMoment } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { countryName, documentNames } from '../../shared/documents.ts';
import { FileList } from '../../shared/files.tsx';
import { Section } from '../admin-drawer.tsx';
import { Permitted } from '../permitted.tsx';
import { RevealValue } from '../reveal-value.tsx';

type Check = AdminUserDetail['identityChecks'][number];

const tierNames: Readonly<Record<Tier, MessageDescriptor>> = {
  email: msg`Solo su correo`,
  identity: msg`Datos de identidad verificados`,
  document: msg`Documento verificado`,
};
export const levelNames: Readonly<Record<IdentityLevel, MessageDescriptor>> = {
  identity: msg`Datos de identidad`,
  document: msg`Documento`,
};
const stateNames: Readonly<Record<Check['state'], { text: MessageDescriptor; color: string }>> = {
  waiting: { text: msg`Espera una decisión`, color: 'yellow' },
  accepted: { text: msg`Aceptada`, color: 'green' },
  declined: { text: msg`Rechazada`, color: 'red' },
};
const reasonNames: Readonly<Record<IdentityDeclineReason, MessageDescriptor>> = {
  unreadable: msg`No se lee`,
  expired: msg`Está vencido`,
  mismatch: msg`No coincide con lo que escribió`,
  not_accepted: msg`No es un documento que aceptamos`,
  in_use: msg`Ya se aceptó en otra cuenta`,
};
const noteMax = 500;

/** How well a person is known, what was checked for it, and the decision about what waits. */
export function UserIdentity({ user }: { user: AdminUserDetail }) {
  return (
    <Section title={t`Identidad`}>
      <Stack gap="md">
        <Text data-testid="user-tier">{i18n._(tierNames[user.tier])}</Text>
        {user.identityChecks.map((check) => (
          <CheckView key={check.id} check={check} user={user} />
        ))}
      </Stack>
    </Section>
  );
}

function CheckView({ check, user }: { check: Check; user: AdminUserDetail }) {
  const { id, level, state, documentType, country, number, legalName, birthDate, reason, note, by, files } = check;
  const { text, color } = stateNames[state];
  return (
    <Stack gap="xs" data-testid="identity-check">
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{i18n._(levelNames[level])}</Text>
        <Badge color={color} variant="light">
          {i18n._(text)}
        </Badge>
      </Group>
      <DataList values="beside" labelWidth={120}>
        <DataItem label={t`Documento`}>
          {i18n._(documentNames[documentType])}, {countryName(country)}
        </DataItem>
        <DataItem label={t`Número`}>
          <RevealValue
            label={t`número`}
            hidden={number}
            to="revealDocument"
            reveal={(why) => adminCall('revealDocument', { params: { id }, body: { reason: why } })}
            testid="reveal-document"
          />
        </DataItem>
        <DataItem label={t`Nombre`}>{legalName}</DataItem>
        <DataItem label={t`Nacimiento`}>{birthDate ? formatCalendarDay(birthDate) : '—'}</DataItem>
        <DataItem label={t`Enviado`}>{formatLaPazMoment(check.at)}</DataItem>
        {reason && <DataItem label={t`Motivo`}>{i18n._(reasonNames[reason])}</DataItem>}
        {note && <DataItem label={t`Nota`}>{note}</DataItem>}
        {check.decidedAt && (
          <DataItem label={t`Decidió`}>
            {by ?? t`La verificación automática`}, {formatLaPazMoment(check.decidedAt)}
          </DataItem>
        )}
      </DataList>
      {check.sameDocument.length > 0 && <SameDocument check={check} />}
      <FileList files={files} route={adminRoutes.adminFile} />
      {state === 'waiting' && (
        <Permitted to="decideIdentity">
          <Decision check={check} user={user} />
        </Permitted>
      )}
    </Stack>
  );
}

/** One document belongs to one person: which other accounts say that it is theirs. */
function SameDocument({ check: { sameDocument } }: { check: Check }) {
  return (
    <Alert color="red" title={t`El mismo documento está en otra cuenta`} data-testid="same-document">
      {sameDocument.map(({ userId, name, accepted }) => (
        <Text key={userId} fz="sm">
          <Anchor component={Link} to={adminUserAddress(userId)} underline="always" fz="inherit">
            {name || t`Sin nombre`}
          </Anchor>
          {': '}
          {accepted ? t`aceptado` : t`espera una decisión`}
        </Text>
      ))}
    </Alert>
  );
}

/** What was decided is told to the person by e-mail; the note stays with colleagues. */
function Decision({ check, user }: { check: Check; user: AdminUserDetail }) {
  const decide = useDecideIdentity(user.id);
  const [outcome, setOutcome] = useState<IdentityDeclineReason | 'accepted'>('accepted');
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (note.trim() === '' || decide.isPending) return;
    const reason = outcome === 'accepted' ? null : outcome;
    decide.mutate(
      { id: check.id, reason, note: note.trim() },
      {
        onSuccess: () => toastDone(reason ? t`Verificación rechazada` : t`Verificación aceptada`, user.name),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <NativeSelect
          label={t`Decisión`}
          data={[
            { value: 'accepted', label: t`Aceptar` },
            ...identityDeclineReasons.map((value) => ({ value, label: t`Rechazar: ${i18n._(reasonNames[value])}` })),
          ]}
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}
          disabled={decide.isPending}
          data-testid="identity-outcome"
        />
        <Textarea
          label={t`Motivo`}
          description={t`Lo ven las demás personas de administración; quien envía, no.`}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={noteMax}
          autosize
          minRows={2}
          error={(asked && note.trim() === '' && t`Escribe el motivo`) || (decide.error && errorMessage(decide.error))}
          disabled={decide.isPending}
          data-testid="identity-note"
        />
        <Button
          type="submit"
          style={{ alignSelf: 'flex-start' }}
          {...(outcome !== 'accepted' && { color: 'red' })}
          loading={decide.isPending}
          data-testid="identity-decide"
        >
          {outcome === 'accepted' ? <Trans>Aceptar la verificación</Trans> : <Trans>Rechazar la verificación</Trans>}
        </Button>
      </Stack>
    </form>
  );
}
