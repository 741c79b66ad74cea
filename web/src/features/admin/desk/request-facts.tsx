import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import type { useDecideRequest, useDropSettlement } from '../../../data/desk-cases.ts';
import { ageText, laPazTime } from '../../../lib/format/dates.ts';
import { addressOf } from '../../../lib/http.ts';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { useMay } from '../permitted.tsx';
import { moneyOfRequest } from './action-messages.tsx';

/** Props of every part of a request. */
export interface RequestProps {
  one: DeskCaseView;
  request: DeskRequestView;
  adminId: string | undefined;
  now: number;
  /** Kept by the case: a refusal is shown also when the request is gone. */
  decide: ReturnType<typeof useDecideRequest>;
  drop: ReturnType<typeof useDropSettlement>;
  ask: (question: 'report' | 'refute') => void;
}

/** Whether a request is a settlement by hand, rather than an action that waits for a second person. */
export const isSettlement = ({ action }: DeskRequestView) => action === 'pay_by_hand' || action === 'refund_by_hand';

/** What a request moves, to whom, when it was made and why. */
export function RequestFacts({ one, request, now }: Pick<RequestProps, 'one' | 'request' | 'now'>) {
  const { amount, currency, reason, requested_at: at, bank_reference: reference } = request;
  const money = moneyOfRequest(one, request);
  return (
    <DataList values="beside" labelWidth={104}>
      {money && (
        <>
          <DataItem label={money.label}>
            {amount && currency ? (
              <Money amount={amount} currency={currency} fw={700} data-testid="desk-request-amount" />
            ) : (
              money.amount
            )}
          </DataItem>
          <DataItem label={t`A`}>{request.account ? accountText(request.account) : money.to}</DataItem>
        </>
      )}
      {reference && <DataItem label={t`Ref. banco`}>{reference}</DataItem>}
      <DataItem label={whenLabel(request)}>
        {ageText(at, now)}: {laPazTime(at)}
      </DataItem>
      <DataItem label={t`Motivo`}>{reason || t`Sin motivo escrito`}</DataItem>
      {request.has_proof && (
        <DataItem label={t`Prueba`}>
          <ProofLink request={request} />
        </DataItem>
      )}
    </DataList>
  );
}

function whenLabel(request: DeskRequestView): string {
  if (request.reserved) return t`Reservado`;
  if (request.action === 'refute') return t`Presentada`;
  return isSettlement(request) ? t`Registrado` : t`Pedido`;
}

/** Whom a request pays of what came back. */
function accountText({ name, bank_name: bank, bank_account: account }: NonNullable<DeskRequestView['account']>) {
  return [name, bank, t`cuenta ${account}`].join(', ');
}

/** A link to the proof of a settlement by hand, if there is one. */
export function ProofLink({ request }: { request: DeskRequestView }) {
  const may = useMay();
  return (
    request.has_proof &&
    may('deskProof') && (
      <Anchor
        href={addressOf(adminRoutes.deskProof.path, { id: request.id }, undefined)}
        download
        data-testid="desk-proof-link"
      >
        <Trans>Descargar el comprobante</Trans>
      </Anchor>
    )
  );
}
