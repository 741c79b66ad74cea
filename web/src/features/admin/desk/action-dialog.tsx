import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { DeskAction, DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import { useActOnCase, useCaseAccounts, useRefuteSettlement, useReportSettlement } from '../../../data/desk-cases.ts';
import { toastDone } from '../../../lib/toast.ts';
import { PayableAccounts } from '../payable-accounts.tsx';
import { confirmTextOf, messageOf, moneyOfAction, moneyOfRequest, ofSender } from './action-messages.tsx';
import { type Entered, EntryDialog } from './entry-dialog.tsx';

/** What a dialog of the desk asks for: an action about a case, or what was done about its settlement by hand. */
export type DeskQuestion = DeskAction | 'report' | 'refute';

interface DialogProps {
  one: DeskCaseView;
  close: () => void;
}

/** Asks for what an action needs, and says what it does before it is done. */
export function DeskDialog({ question, ...props }: DialogProps & { question: DeskQuestion }) {
  // As it was when the dialog opened: it outlives the request, to say that a colleague was first.
  const [request] = useState(props.one.request);
  if (question !== 'report' && question !== 'refute') return <ActionDialog action={question} {...props} />;
  if (!request) return null;
  const Settlement = question === 'report' ? ReportDialog : RefuteDialog;
  return <Settlement request={request} {...props} />;
}

function ActionDialog({ one, action, close }: DialogProps & { action: DeskAction }) {
  const act = useActOnCase(one.id);
  /** Whom `pay_rest` pays; empty: the account that was paid. */
  const [recipientId, setRecipientId] = useState('');
  const { title, effect, tone } = messageOf(one, action);
  const button = confirmTextOf(one, action, recipientId !== '');
  return (
    <EntryDialog
      one={one}
      copy={{
        ...{ title: i18n._(title), button, effect: effect(one), tone },
        needed: action === 'retry' ? [] : ['reason'],
      }}
      money={moneyOfAction(one, action)}
      accounts={action === 'pay_rest' && <Accounts id={one.id} value={recipientId} onChange={setRecipientId} />}
      isGone={!one.actions.includes(action)}
      call={act}
      send={({ reason }, _, { settled, done }) =>
        act.mutate(
          { action, reason, ...(recipientId !== '' && { recipient_id: recipientId }) },
          {
            onSettled: settled,
            onSuccess: (answer) => {
              sayDone(answer.case, action);
              done();
            },
          },
        )
      }
      close={close}
    />
  );
}

/** Whom the rest is paid to. */
function Accounts({ id, ...choice }: { id: string; value: string; onChange: (recipientId: string) => void }) {
  return (
    <PayableAccounts
      query={useCaseAccounts(id)}
      {...choice}
      note={t`A otra cuenta siempre lo aprueba otra persona.`}
      testid="desk-account"
    />
  );
}

type SettlementProps = DialogProps & { request: DeskRequestView };

/** Asks what was paid by hand, once the money has left. */
function ReportDialog({ one, request, close }: SettlementProps) {
  const report = useReportSettlement(request.id);
  const isPayout = request.action === 'pay_by_hand';
  const money = moneyOfRequest(one, request);
  const due = money?.amount ?? '';
  return (
    <EntryDialog
      one={one}
      copy={{
        title: isPayout ? t`Registrar el pago a mano` : t`Registrar la devolución a mano`,
        effect: t`Chasqui no paga nada: queda escrito que el dinero ya salió. Si es mucho, otra persona lo confirma.`,
        button: t`Registrar`,
        tone: 'green',
        needed: ['bank_reference', 'amount', 'proof'],
        labels: { amount: isPayout ? t`Bolivianos pagados` : t`Monto devuelto` },
        due: isPayout ? t`La familia espera ${due}.` : t`Quien envía espera ${due}.`,
      }}
      money={money}
      isGone={one.request?.id !== request.id || !one.request.reserved}
      call={report}
      send={({ proof, ...entered }, control, { settled, done }) =>
        proof &&
        report.mutate(
          { ...entered, proof, control },
          {
            onSettled: settled,
            onSuccess: (answer) => {
              sayReported(answer.case);
              done();
            },
          },
        )
      }
      close={close}
    />
  );
}

/** Asks for the bank's proof that the money of a settlement by hand never left. */
function RefuteDialog({ one, request, close }: SettlementProps) {
  const refute = useRefuteSettlement(request.id);
  return (
    <EntryDialog
      one={one}
      copy={{
        title: t`¿El dinero no salió?`,
        effect: t`Hace falta una prueba del banco y otra persona que la confirme. Hasta entonces nadie mueve este dinero.`,
        button: t`Presentar la prueba`,
        tone: 'red',
        needed: ['proof', 'reason'],
        labels: { proof: t`Prueba del banco`, reason: t`Qué dice el banco` },
      }}
      money={moneyOfRequest(one, request)}
      isGone={one.request?.id !== request.id || one.refutation !== null}
      call={refute}
      send={({ proof, reason }: Entered, control, { settled, done }) =>
        proof &&
        refute.mutate(
          { proof, reason, control },
          {
            onSettled: settled,
            onSuccess: () => {
              toastDone(t`Prueba presentada`, t`Otra persona de administración la tiene que confirmar.`);
              done();
            },
          },
        )
      }
      close={close}
    />
  );
}

function sayDone(one: DeskCaseView, action: DeskAction): void {
  const { request, transaction } = one;
  if (request && !request.reserved)
    toastDone(t`Espera a una segunda persona`, t`Otra persona de administración lo tiene que aprobar.`);
  else toastDone(i18n._(messageOf(one, action).done), ofSender(transaction.user));
}

function sayReported({ request, transaction }: DeskCaseView): void {
  if (request) toastDone(t`Espera a una segunda persona`, t`Otra persona de administración lo tiene que confirmar.`);
  else toastDone(t`Quedó registrado`, ofSender(transaction.user));
}
