import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { lazy, useState } from 'react';
import { Link } from 'react-router';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { adminTransferAddress } from '#core/contracts/page-addresses';
import { useComplaint, useNoteComplaint } from '../../../data/admin-complaints.ts';
import { formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { complaintReasonLabel, complaintWantLabel, Letters } from '../../shared/complaint-texts.tsx';
import { FileList } from '../../shared/files.tsx';
import classes from '../admin.module.css';
import { AdminDrawer, Section } from '../admin-drawer.tsx';
import { AdminNotes } from '../admin-notes.tsx';
import { Permitted } from '../permitted.tsx';
import { PayoutScreening } from '../transfers/screening.tsx';
import { TransferMoney } from '../transfers/transfer-cells.tsx';
import { History, Recipient } from '../transfers/transfer-sections.tsx';
import { ComplaintDialog, type Question, WhatToDo } from './complaint-dialog.tsx';
import { Clocks, ComplaintBadge, clockLabel, Result, regimeLabel } from './complaint-parts.tsx';

// Asks about the person who sends.
const SenderBarred = lazy(async () => ({ default: (await import('../users/user-parts.tsx')).SenderBarred }));

/** Everything about one report and what can be done about it; over the whole screen on a phone. */
export function ComplaintDrawer({
  id,
  complaints,
  now,
  close,
}: {
  /** Null closes the drawer. */
  id: string | null;
  /** What the list knows: shown at once. */
  complaints: readonly AdminComplaintView[];
  now: number;
  close: () => void;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <AdminDrawer id={id} title={t`Reclamo`} locked={question !== null} close={close} testid="complaint-drawer">
      {(shown) => (
        <Loaded
          key={shown}
          id={shown}
          row={complaints.find((one) => one.id === shown)}
          now={now}
          question={question}
          ask={setQuestion}
        />
      )}
    </AdminDrawer>
  );
}

interface DetailsProps {
  now: number;
  question: Question | null;
  ask: (question: Question | null) => void;
}

function Loaded({ id, row, ...props }: DetailsProps & { id: string; row: AdminComplaintView | undefined }) {
  return (
    <div className={classes.drawerScroll}>
      <QueryView query={useComplaint(id, row)} loading={<LoadingRows rows={5} height={56} />}>
        {(one) => <Details one={one} {...props} />}
      </QueryView>
    </div>
  );
}

function Details({ one, now, question, ask }: DetailsProps & { one: AdminComplaintView }) {
  const { transaction, wants } = one;
  const note = useNoteComplaint(one.id);
  const reported = laPazTime(one.reported_at);
  const wanted = complaintWantLabel(wants);
  return (
    <Stack gap="lg" data-testid="complaint-details" data-complaint-id={one.id} data-state={one.state}>
      <Stack gap="xs" align="flex-start">
        <ComplaintBadge one={one} />
        <Text fw={600}>{complaintReasonLabel(one.reason)}</Text>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{one.description}</Text>
        {one.files.length > 0 && (
          <Permitted to="adminFile">
            <FileList files={one.files} route={adminRoutes.adminFile} />
          </Permitted>
        )}
        <Text fz="sm">
          <Trans>
            Quiere: <b>{wanted}</b>
          </Trans>
        </Text>
        <Text fz="sm" c="dimmed">
          {regimeLabel(one.regime)}. <Trans>Reportado el {reported}.</Trans>
          {!one.in_time && ` ${t`Pasaron más de 180 días desde la fecha prometida.`}`}
        </Text>
      </Stack>
      {transaction.user_blocked && (
        <LazyPart missing={null}>
          <SenderBarred userId={transaction.user_id} />
        </LazyPart>
      )}
      <Section title={t`Plazos`}>
        <Clocks one={one} now={now} />
        <Reminders one={one} />
      </Section>
      {!one.closed_at && (
        <Permitted to="assignComplaint">
          <WhatToDo one={one} ask={ask} />
        </Permitted>
      )}
      {question && <ComplaintDialog key={question} one={one} question={question} close={() => ask(null)} />}
      <Result one={one} />
      {one.state === 'awaiting_approval' && one.payout && (
        <PayoutScreening
          transaction={one.transaction}
          hint={t`Antes de pagar por segunda vez se comprueban los nombres de nuevo: sin ese control no se puede aprobar.`}
        />
      )}
      <Section title={t`Cartas al remitente`}>
        <Permitted to="adminLetterPdf">
          <Letters letters={one.letters} pdf={adminRoutes.adminLetterPdf} />
        </Permitted>
      </Section>
      <AdminNotes notes={one.notes} call={note} testid="complaint-note" />
      <Anchor component={Link} to={adminTransferAddress(transaction.id)} preventScrollReset fz="sm">
        <Trans>Ver la transferencia</Trans>
      </Anchor>
      <TransferMoney transfer={transaction} />
      <Recipient transfer={transaction} />
      <History transfer={transaction} />
    </Stack>
  );
}

/** Whom we wrote about which deadline. */
function Reminders({ one: { reminders } }: { one: AdminComplaintView }) {
  return reminders.map(({ clock, stage, at, told }) => {
    const what = clockLabel(clock);
    const names = told.join(', ');
    const when = formatLaPazMoment(at);
    return (
      <Text key={`${clock} ${at}`} fz="sm" c="dimmed" mt={4} data-testid="complaint-reminder">
        {stage === 'near'
          ? t`${what}: se avisó a ${names} que vence pronto, el ${when}`
          : t`${what}: se avisó a ${names} que está vencido, el ${when}`}
      </Text>
    );
  });
}
