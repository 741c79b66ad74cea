import { t } from '@lingui/core/macro';
import { Loader, Overlay, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type MetaFunction, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { openTransferParam } from '#core/contracts/page-addresses';
import type { Offer } from '../data/payments.ts';
import { recipientsQuery } from '../data/recipients.ts';
import { useSession } from '../data/session.ts';
import { refreshTransfers } from '../data/transfers.ts';
import { comparisonFailed, WidgetLoading } from '../features/comparison/comparison-messages.tsx';
import classes from '../features/dashboard/dashboard.module.css';
import { SendForm } from '../features/dashboard/send-form.tsx';
import { SummaryCards } from '../features/dashboard/summary-cards.tsx';
import { useInterruptedPayment } from '../features/payment/return-address.ts';
import { BankBoard } from '../features/rates/bank-board.tsx';
import { RateAlerts } from '../features/rates/rate-alerts.tsx';
import { RateBanner } from '../features/rates/rate-banner.tsx';
import { RateHistory } from '../features/rates/rate-history.tsx';
import { RecipientEditor } from '../features/recipients/recipient-form.tsx';
import { AddRecipient, RecipientList } from '../features/recipients/recipient-list.tsx';
import { RecentTransfers, WaitingForRecipient } from '../features/transfers/recent-transfers.tsx';
import { readSendingPath } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { type SendingDraft, useSendingDraft } from '../lib/sending-draft.ts';
import { toastError } from '../lib/toast.ts';
import { Dialog, focusAfterDialog } from '../ui/dialog.tsx';
import { LazyPart } from '../ui/lazy-part.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Tu Panel de Remesas`) }];

/** The card form and the provider's packages come after the panel, before they are needed. */
const loadPaymentDialog = () => import('../features/payment/payment-dialog.tsx');
const PaymentDialog = lazy(loadPaymentDialog);
const ComparisonWidget = lazy(async () => ({
  default: (await import('../features/comparison/comparison-widget.tsx')).ComparisonWidget,
}));

/** The sender's panel; first of all what became of a payment that a reload interrupted. */
export default function DashboardPage() {
  const interrupted = useInterruptedPayment();
  return interrupted ? <Navigate to={interrupted} replace /> : <Dashboard />;
}

function Dashboard() {
  const session = useSession();
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const recipients = useQuery(recipientsQuery);
  const { draft, change } = useSendingDraft(session.data?.user.id ?? null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const amount = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Should it fail now, it is asked for again when somebody pays.
    loadPaymentDialog().catch(() => undefined);
  }, []);
  useSendingOfAddress(change);
  const openTransfer = (id: string | null) =>
    setSearch(
      (now) => {
        if (id) now.set(openTransferParam, id);
        else now.delete(openTransferParam);
        return now;
      },
      { preventScrollReset: true, replace: id === null },
    );
  /** The form filled in as this transfer was; its figures are the server's of now. */
  const repeat = (transfer: TransferView) => {
    openTransfer(null);
    const known = recipients.data?.some(({ id }) => id === transfer.recipientId);
    change({ amount: transfer.amount, currency: transfer.currency });
    choose(known && transfer.recipientId ? transfer.recipientId : '', true);
    if (!known && transfer.recipient) {
      const name = transfer.recipient;
      toastError(t`${name} ya no está en tu lista`, t`Elige otro destinatario o añádelo otra vez.`);
    }
  };
  const choose = (id: string, askedFor: boolean) => {
    change({ recipientId: id });
    if (askedFor) focusAfterDialog(() => amount.current);
  };
  const closePayment = () => {
    setOffer(null);
    // What was opened and not paid is in the list, to go on with.
    void refreshTransfers(queryClient);
  };
  const backToPanel = () => {
    setOffer(null);
    document.getElementById('transfers')?.scrollIntoView({ block: 'start' });
  };
  const name = session.data?.user.name;
  return (
    <Page title={t`Tu Panel de Remesas`} lead={name && t`Hola, ${name}`}>
      <Stack gap="lg">
        <WaitingForRecipient recipients={recipients.data} adding={AddRecipient} />
        <SummaryCards />
        <div className={classes.panel}>
          <SendForm
            recipients={recipients.data}
            adding={AddRecipient}
            draft={draft}
            onChange={change}
            asksBirthDate={session.data?.user.birthDateKnown === false}
            amountRef={amount}
            onPay={setOffer}
          />
          <RateBanner />
        </div>
        <LazyPart pending={<WidgetLoading />} missingMessage={comparisonFailed()}>
          <ComparisonWidget />
        </LazyPart>
        <RecipientList onChosen={choose} />
        <RecentTransfers
          openId={search.get(openTransferParam) ?? ''}
          onOpen={openTransfer}
          onClose={() => openTransfer(null)}
          onRepeat={repeat}
          onPay={(left) => {
            openTransfer(null);
            setOffer(left);
          }}
          recipients={recipients}
          recipientEditor={RecipientEditor}
        />
        <RateHistory />
        <RateAlerts />
        <BankBoard />
      </Stack>
      {offer && (
        <LazyPart pending={<DialogLoading />} missing={<DialogMissing onClose={closePayment} />}>
          <PaymentDialog offer={offer} onClose={closePayment} onDone={backToPanel} />
        </LazyPart>
      )}
    </Page>
  );
}

/** Fills the form with what the address asks for ("?amount=…&currency=…"), once: from then on the draft is the person's. */
function useSendingOfAddress(change: (changes: Partial<SendingDraft>) => void): void {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  useLayoutEffect(() => {
    const params = new URLSearchParams(search);
    const asked = readSendingPath(params);
    if (!asked) return;
    change(asked);
    for (const name of Object.keys(asked)) params.delete(name);
    void navigate({ search: params.toString(), hash }, { replace: true, preventScrollReset: true });
  }, [search, hash, change, navigate]);
}

function DialogLoading() {
  return (
    <Overlay fixed center role="status" aria-label={t`Cargando`}>
      <Loader />
    </Overlay>
  );
}

/** The dialog's file did not come. Nothing was opened or charged, and the form keeps what was typed over the reload. */
function DialogMissing({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={t`Pago Seguro con Tarjeta`}>
      <LoadError
        message={t`No pudimos abrir el formulario de pago. Recarga la página.`}
        retry={() => window.location.reload()}
      />
    </Dialog>
  );
}
