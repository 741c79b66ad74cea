import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Button,
  Card,
  Code,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconDownload, IconHistory, IconLink, IconLinkOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { AdminRole } from '#core/accounts/admin-roles';
import { auditKinds, auditSubjects } from '#core/audit/kinds';
import type { AuditEntryView, AuditVerification } from '#core/contracts/http/audit';
import { adminTransferAddress, adminUserAddress } from '#core/contracts/page-addresses';
import { type AuditFilter, auditFileAddress, auditQuery, useVerifyAudit } from '../../../data/audit.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { errorMessage } from '../../../lib/http.ts';
import { PagedListView } from '../../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { roleLabels } from '../permitted.tsx';
import { auditLabels, auditProblems } from './audit-labels.ts';

/** Who did what, whether anybody changed what is written about it, and the same as a file. */
export function AuditTab() {
  const [filter, setFilter] = useState<AuditFilter>({});
  const verify = useVerifyAudit();
  const list = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData });
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz="h3">
          <Trans>Registro de auditoría</Trans>
        </Title>
        <Group gap="sm">
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            href={auditFileAddress(filter)}
            download
            data-testid="audit-export"
          >
            <Trans>Exportar (CSV)</Trans>
          </Button>
          <Button
            leftSection={<IconLink size={18} aria-hidden />}
            loading={verify.isPending}
            onClick={() => verify.mutate(undefined)}
            data-testid="audit-verify"
          >
            <Trans>Comprobar la cadena</Trans>
          </Button>
        </Group>
      </Group>
      {verify.data && <Verified found={verify.data} />}
      {verify.error && (
        <Alert color="red" role="alert">
          {errorMessage(verify.error)}
        </Alert>
      )}
      <FilterForm apply={setFilter} />
      <PagedListView
        query={list}
        loading={<LoadingRows rows={6} height={72} />}
        empty={
          <EmptyState icon={<IconHistory aria-hidden />}>
            <Trans>No hay nada escrito con estos filtros</Trans>
          </EmptyState>
        }
        moreTestid="audit-more"
        moreGap="md"
      >
        {(entries) => (
          <Card padding="md">
            <ul className="cq-list" style={{ gap: 16 }}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          </Card>
        )}
      </PagedListView>
    </Stack>
  );
}

/** What checking the chain found; which row does not fit. */
function Verified({ found: { checked, head_hash: hash, broken } }: { found: AuditVerification }) {
  if (!broken) {
    return (
      <Alert
        color="green"
        icon={<IconLink aria-hidden />}
        title={plural(checked, { one: 'La cadena está entera: # fila', other: 'La cadena está entera: # filas' })}
        role="status"
        data-testid="audit-whole"
      >
        <Trans>Anota el final en otro lugar: con él se ve después si alguien reescribió lo anterior.</Trans>
        <Code block mt="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {checked}:{hash}
        </Code>
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      icon={<IconLinkOff aria-hidden />}
      title={plural(checked, {
        one: 'La cadena está rota después de # fila',
        other: 'La cadena está rota después de # filas',
      })}
      role="alert"
      data-testid="audit-broken"
    >
      <Text>{i18n._(auditProblems[broken.problem])}</Text>
      <Text className="cq-num" style={{ overflowWrap: 'anywhere' }}>
        {[
          broken.position !== null && t`Posición: ${formatCount(broken.position)}`,
          broken.entry_id !== null && t`Entrada: ${broken.entry_id}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <Text>
        <Trans>Guarda una copia de la base antes de tocar nada y averigua quién entró en ella como dueño.</Trans>
      </Text>
    </Alert>
  );
}

const fields = ['kind', 'actor', 'subject', 'from', 'to'] as const;
type Typed = Readonly<Record<(typeof fields)[number], string>>;
const untyped: Typed = { kind: '', actor: '', subject: '', from: '', to: '' };

function FilterForm({ apply }: { apply: (filter: AuditFilter) => void }) {
  const [typed, setTyped] = useState(untyped);
  const [asked, setAsked] = useState(false);
  const problems = asked ? problemsOf(typed) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(problemsOf(typed)).length > 0) return;
    apply(Object.fromEntries(fields.flatMap((name) => (typed[name].trim() ? [[name, typed[name].trim()]] : []))));
  };
  const clear = () => {
    setTyped(untyped);
    apply({});
  };
  const field = (name: keyof Typed, label: string) => ({
    label,
    value: typed[name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: value }),
    'data-testid': `audit-${name}`,
  });
  const kinds = auditKinds.map((value) => ({ value, label: i18n._(auditLabels[value]) }));
  return (
    <Card padding="md" component="form" onSubmit={submit} noValidate>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" style={{ alignItems: 'end' }}>
        <NativeSelect
          {...field('kind', t`Qué`)}
          data={[
            { value: '', label: t`Cualquiera` },
            ...kinds.sort((one, other) => one.label.localeCompare(other.label)),
          ]}
        />
        <TextInput {...field('actor', t`Quién (id)`)} maxLength={36} />
        <TextInput {...field('subject', t`Sobre qué (id)`)} maxLength={100} />
        <TextInput type="date" {...field('from', t`Desde el día`)} min="2000-01-01" max="2099-12-31" />
        <TextInput type="date" {...field('to', t`Hasta el día`)} min="2000-01-01" max="2099-12-31" />
        <Button type="submit" data-testid="audit-apply">
          <Trans>Aplicar</Trans>
        </Button>
        <Button variant="default" onClick={clear} data-testid="audit-clear">
          <Trans>Quitar filtros</Trans>
        </Button>
      </SimpleGrid>
    </Card>
  );
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function problemsOf({ actor, from, to }: Typed): Partial<Record<keyof Typed, string>> {
  return {
    ...(actor.trim() && !uuid.test(actor.trim()) && { actor: t`Escribe el id completo de la persona` }),
    ...(from && to && to < from && { to: t`El último día no puede estar antes del primero` }),
  };
}

function Entry({ entry }: { entry: AuditEntryView }) {
  const { kind, position, actor_id: actorId, actor_name: actorName, actor_role: role, network } = entry;
  const when = laPazTime(entry.at);
  return (
    <li data-testid="audit-entry" data-kind={kind}>
      <Group justify="space-between" gap="xs" align="flex-start" wrap="nowrap">
        <Text fw={600}>{i18n._(auditLabels[kind])}</Text>
        {position !== null && (
          <ToneBadge tone="quiet" size="md" className="cq-num">
            {formatCount(position)}
          </ToneBadge>
        )}
      </Group>
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {actorId ? (
          <Anchor component={Link} to={adminUserAddress(actorId)} underline="always" fz="inherit">
            {actorName || actorId}
          </Anchor>
        ) : (
          <Trans>Sin sesión, o el sistema</Trans>
        )}
        {role && ` (${roleText(role)})`} · <span className="cq-num">{when}</span>
        {network && ` · ${network}`}
      </Text>
      <Subject entry={entry} />
      <Detail text={entry.detail} />
    </li>
  );
}

/** A role as people read it. Accounts that are none of the administration's are senders; "admin" is a session before its role was asked. */
function roleText(role: string): string {
  if (role === 'user') return t`Usuario`;
  if (role === 'admin') return t`Administración`;
  return role in roleLabels ? i18n._(roleLabels[role as AdminRole]) : role;
}

/** What an entry is about: a link where a drawer shows it, its id elsewhere. */
function Subject({ entry: { kind, subject } }: { entry: AuditEntryView }) {
  if (subject === null) return null;
  const addresses = { account: adminUserAddress, transfer: adminTransferAddress };
  const about: string = auditSubjects[kind];
  const address = about === 'account' || about === 'transfer' ? addresses[about](subject) : null;
  return (
    <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <Trans>Sobre:</Trans>{' '}
      {address ? (
        <Anchor component={Link} to={address} underline="always" fz="inherit">
          {subject}
        </Anchor>
      ) : (
        <span className="cq-num">{subject}</span>
      )}
    </Text>
  );
}

/** Longer ones are opened by a press. */
const shownLength = 160;

function Detail({ text }: { text: string }) {
  if (text === '{}') return null;
  const code = (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} fz="sm">
      {text}
    </Code>
  );
  if (text.length <= shownLength) return code;
  return (
    <details>
      <summary>
        <Text span fz="sm">
          <Trans>Ver el detalle</Trans>
        </Text>
      </summary>
      {code}
    </details>
  );
}
