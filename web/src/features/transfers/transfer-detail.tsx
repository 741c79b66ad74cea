import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconHeartHandshake, IconInfoCircle, IconPencil, IconReceipt, IconTrendingUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Link } from 'react-router';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import type { AcceptedTermsView, TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import { paperAddress } from '../../data/papers.ts';
import type { Offer } from '../../data/payments.ts';
import { knownTransfer, transferQuery } from '../../data/transfers.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { formatBolivianos, formatRateLine } from '../../lib/format/money.ts';
import { isMissing } from '../../lib/http.ts';
import { language } from '../../lib/language.ts';
import { receiptPath } from '../../lib/paths.ts';
import { Dialog, useReturnFocus } from '../../ui/dialog.tsx';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop, useNow } from '../../ui/hooks.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { arriving } from '../shared/arriving.ts';
import { Breakdown, BreakdownLine } from '../shared/breakdown.tsx';
import { RepeatOffer } from '../shared/repeat-offer.tsx';
import { ShareTransfer } from '../shared/share-transfer.tsx';
import { GivenReason } from '../shared/status-badge.tsx';
import { CancelOffer } from './cancel-offer.tsx';
import type { OwnRecipients, RecipientEditor } from './choose-account.tsx';
import {
  endReason,
  hasPayoutReturned,
  hasRestPaid,
  hasReturned,
  isUnresolved,
  moreThan,
  wasPaidAgain,
} from './transfer-labels.ts';
import {
  CancellationPending,
  PayoutDelayed,
  PayoutFailed,
  RecipientMissing,
  RefundBounced,
  ReturnedNotice,
} from './transfer-notices.tsx';
import { PayButton, RepeatButton, TransferBadge } from './transfer-rows.tsx';
import { TransferTimeline } from './transfer-timeline.tsx';

// Comes with the first transfer about which something is asked.
const TransferQuestions = lazy(async () => ({
  default: (await import('./transfer-questions.tsx')).TransferQuestions,
}));

// Comes when a transfer is looked at.
const TransferHelp = lazy(async () => ({ default: (await import('./transfer-help.tsx')).TransferHelp }));

// Come when they are asked for.
const CancelDialog = lazy(async () => ({ default: (await import('./cancel-transfer.tsx')).CancelDialog }));
const ChooseAccount = lazy(async () => ({ default: (await import('./choose-account.tsx')).ChooseAccount }));
const ReportProblem = lazy(async () => ({ default: (await import('./report-problem.tsx')).ReportProblem }));

interface Props {
  id: string;
  onClose: () => void;
  onRepeat: (transfer: TransferView) => void;
  /** The sender wants to be reminded of the same each month. */
  onSchedule?: ((transfer: TransferView) => void) | undefined;
  /** The sender goes on with the payment that was left. */
  onPay: (offer: Offer) => void;
  /** Whom the sender may choose where nobody is, or the bank refused the account. */
  recipients: OwnRecipients;
  recipientEditor: RecipientEditor;
}

/** One transfer, live: what arrives, what it cost, every step, and what its sender can still do with it. */
export function TransferDetail({ id, onClose, onRepeat, onSchedule, onPay, recipients, recipientEditor }: Props) {
  const wide = useIsDesktop();
  const [asking, setAsking] = useState<'cancel' | 'account' | 'report' | null>(null);
  const answered = () => setAsking(null);
  const own = useQuery(transferQuery(id));
  useReturnFocus();
  const transfer = own.data ?? knownTransfer(id);
  if (transfer && asking === 'cancel')
    return (
      <LazyPart>
        <CancelDialog transfer={transfer} onClose={answered} />
      </LazyPart>
    );
  if (transfer && asking === 'account')
    return (
      <LazyPart>
        <ChooseAccount transfer={transfer} recipients={recipients} editor={recipientEditor} onClose={answered} />
      </LazyPart>
    );
  if (transfer && asking === 'report')
    return (
      <LazyPart>
        <ReportProblem transfer={transfer} onClose={answered} />
      </LazyPart>
    );
  const name = transfer?.recipient;
  const title = name ? t`Envío a ${name}` : transfer ? t`Envío sin destinatario` : t`Tu envío`;
  return (
    <Dialog opened ownAddress onClose={onClose} title={title} size="lg" fullScreen={!wide}>
      <QueryView
        query={{ ...own, data: transfer }}
        loading={<LoadingRows rows={4} height={64} />}
        {...(isMissing(own.error) && { failed: () => <Unknown onClose={onClose} /> })}
      >
        {(known) => (
          <Content transfer={known} onAsk={setAsking} onRepeat={onRepeat} onSchedule={onSchedule} onPay={onPay} />
        )}
      </QueryView>
    </Dialog>
  );
}

function Unknown({ onClose }: { onClose: () => void }) {
  return (
    <Stack align="flex-start" data-testid="transfer-unknown">
      <Text>
        <Trans>
          No encontramos este envío entre los tuyos. Búscalo en tu lista, o entra con la cuenta con la que lo hiciste.
        </Trans>
      </Text>
      <Button onClick={onClose}>
        <Trans>Volver a mis envíos</Trans>
      </Button>
    </Stack>
  );
}

function Content({
  transfer,
  onAsk,
  onRepeat,
  onSchedule,
  onPay,
}: Pick<Props, 'onRepeat' | 'onSchedule' | 'onPay'> & {
  transfer: TransferView;
  onAsk: (question: 'cancel' | 'account' | 'report') => void;
}) {
  const { card, status } = transfer;
  const now = useNow();
  const reason = endReason(transfer);
  return (
    <Stack gap="lg" data-testid="transfer-detail" data-transfer-id={transfer.id} data-state={transfer.state}>
      <Group justify="space-between">
        <Text c="dimmed">{formatMoment(transfer.date)}</Text>
        <TransferBadge transfer={transfer} />
      </Group>
      <PayoutFailed transfer={transfer} onCorrect={() => onAsk('account')} onMoneyBack={() => onAsk('cancel')} />
      <RecipientMissing transfer={transfer} onChoose={() => onAsk('account')} />
      {transfer.questions && (
        <LazyPart>
          <TransferQuestions transfer={transfer} />
        </LazyPart>
      )}
      <RefundBounced transfer={transfer} />
      <CancellationPending transfer={transfer} />
      <PayoutDelayed transfer={transfer} />
      <ReturnedNotice transfer={transfer} />
      {reason && (
        <Alert color="red" icon={<IconInfoCircle aria-hidden />} title={t`Motivo`}>
          <GivenReason reason={reason} rejection={transfer.rejection} />
        </Alert>
      )}
      <Breakdown figures={{ ...transfer, bs: arriving(transfer) }} {...labelsFor(transfer)}>
        {hasReturned(transfer) && transfer.state !== 'refunded' && (
          <BreakdownLine label={t`Devuelto a ti`}>
            <Money amount={transfer.returned} currency={transfer.currency} />
          </BreakdownLine>
        )}
        {hasPayoutReturned(transfer) && (
          <BreakdownLine label={t`Devuelto por el banco`}>
            <Money amount={transfer.payoutReturned} currency="BOB" />
          </BreakdownLine>
        )}
        {hasRestPaid(transfer) && (
          <BreakdownLine label={t`Pagado después por el banco`}>
            <Money amount={transfer.restPaid} currency="BOB" />
          </BreakdownLine>
        )}
        {wasPaidAgain(transfer) && (
          <BreakdownLine label={t`Pagado otra vez por lo que reportaste`}>
            <Money amount={transfer.paidAgain} currency="BOB" />
          </BreakdownLine>
        )}
        <BreakdownLine label={t`Referencia`}>{referenceOf(transfer.id)}</BreakdownLine>
        {transfer.bankName && <BreakdownLine label={t`Banco`}>{transfer.bankName}</BreakdownLine>}
        {card && <BreakdownLine label={t`Tarjeta`}>{`${brandOf(card.brand)} •••• ${card.last4}`}</BreakdownLine>}
        {transfer.payoutReference && (
          <BreakdownLine label={t`Referencia del banco`}>{transfer.payoutReference}</BreakdownLine>
        )}
      </Breakdown>
      <BetterRate transfer={transfer} />
      <Group gap="sm">
        <PayButton transfer={transfer} onPay={onPay} />
        <CancelOffer transfer={transfer} onCancel={() => onAsk('cancel')} />
      </Group>
      <FamilyWord transfer={transfer} />
      <TransferTimeline transfer={transfer} />
      {isShareable(transfer) && <ShareTransfer transfer={transfer} />}
      <Group gap="sm">
        <RepeatButton
          transfer={transfer}
          onPay={onPay}
          onRepeat={onRepeat}
          {...(isUnresolved(transfer, now) && { variant: 'default' })}
        />
        {status !== 'awaiting_payment' && (
          <Button
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={() => onRepeat(transfer)}
            data-testid="transfer-repeat"
          >
            <Trans>Repetir con otro monto</Trans>
          </Button>
        )}
        {onSchedule && transfer.recipientId && isShareable(transfer) && (
          <RepeatOffer onClick={() => onSchedule(transfer)} />
        )}
        {transfer.paidAt && (
          <Button
            component={Link}
            to={receiptPath(transfer.id)}
            variant="default"
            leftSection={<IconReceipt size={18} aria-hidden />}
            data-testid="transfer-receipt"
          >
            <Trans>Ver recibo</Trans>
          </Button>
        )}
      </Group>
      <LazyPart>
        <TransferHelp transfer={transfer} onReport={() => onAsk('report')} />
      </LazyPart>
      <Group gap="md">
        {transfer.paidAt && (
          <Anchor
            href={paperAddress(senderRoutes.receiptPdf, { id: transfer.id }, language())}
            download
            fz="sm"
            data-testid="transfer-receipt-pdf"
          >
            <Trans>Descargar el recibo (PDF)</Trans>
          </Anchor>
        )}
        <Anchor
          href={paperAddress(senderRoutes.disclosurePdf, { id: transfer.id }, language())}
          download
          fz="sm"
          data-testid="transfer-disclosure-pdf"
        >
          <Trans>Descargar lo que se te mostró antes de pagar (PDF)</Trans>
        </Anchor>
      </Group>
    </Stack>
  );
}

/** That a better rate applies than the accepted one; it appears while the sender looks on. */
function BetterRate({ transfer }: { transfer: TransferView }) {
  return (
    <div role="status" className={transfer.accepted ? undefined : 'cq-hidden'} data-testid="transfer-better-rate">
      {transfer.accepted && (
        <Alert color="green" bg="var(--cq-good-soft)" icon={<IconTrendingUp aria-hidden />}>
          {betterRateText(transfer, transfer.accepted)}
        </Alert>
      )}
    </div>
  );
}

function betterRateText({ rate, bolivianos, currency }: TransferView, accepted: AcceptedTermsView): string {
  const now = formatRateLine(rate, currency);
  const before = formatRateLine(accepted.rate, currency);
  const more = formatBolivianos(moreThan(accepted.bolivianos, bolivianos));
  return t`La tasa mejoró antes de aprobar el cobro: ${now} en vez de ${before}. Son ${more} más, sin costo.`;
}

/** What the family said on the page of the tracking link; it appears while the sender looks on. */
function FamilyWord({ transfer: { receivedAt } }: { transfer: TransferView }) {
  const moment = receivedAt && formatMoment(receivedAt);
  return (
    <div role="status" className={moment ? undefined : 'cq-hidden'}>
      {moment && (
        <Alert color="green" icon={<IconHeartHandshake aria-hidden />} data-testid="family-received">
          <Trans>Tu familia confirmó que ya recibió el dinero: {moment}</Trans>
        </Alert>
      )}
    </div>
  );
}

/** Whether there is something for the family to follow. */
const isShareable = ({ paidAt, status, cancelPending }: TransferView) =>
  paidAt !== null && !cancelPending && (status === 'pending' || status === 'completed');

function labelsFor({ state, status, cancelPending }: TransferView) {
  if (cancelPending) return { arrivesLabel: t`Llegaría a Bolivia`, off: true };
  if (state === 'refunded')
    return { arrivesLabel: t`Iba a llegar a Bolivia`, paidLabel: t`Pagaste y se te devolvió`, off: true };
  if (state === 'payout_failed')
    return { arrivesLabel: t`Falta que llegue a Bolivia`, paidLabel: t`Pagaste con tu tarjeta`, off: true };
  switch (status) {
    case 'pending':
    case 'awaiting_payment':
      return {};
    case 'completed':
      return { arrivesLabel: t`Llegó a Bolivia`, paidLabel: t`Pagaste con tu tarjeta` };
    case 'refunded':
      return { arrivesLabel: t`Iba a llegar a Bolivia`, paidLabel: t`Pagaste y se te devuelve`, off: true };
    default:
      return { arrivesLabel: t`Iba a llegar a Bolivia`, paidLabel: t`Monto, no cobrado`, off: true };
  }
}

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);
