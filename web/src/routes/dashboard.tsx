import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { TransferView } from '#core/contracts/http/transfers';
import { BankBoard } from '../features/bank-board/bank-board.tsx';
import { comparisonFailed } from '../features/comparison/comparison-words.ts';
import { WidgetLoading } from '../features/comparison/widget-loading.tsx';
import { RateAlerts } from '../features/rate-alerts/rate-alerts.tsx';
import { RateHistory } from '../features/rate-history/rate-history.tsx';
import { RateBanner } from '../features/rates/rate-banner.tsx';
import { recipientsQuery } from '../features/recipients/queries.ts';
import { RecipientList } from '../features/recipients/recipient-list.tsx';
import { SendForm } from '../features/send/send-form.tsx';
import { SummaryCards } from '../features/summary/summary-cards.tsx';
import { RecentTransfers } from '../features/transfers/recent-transfers.tsx';
import { WaitingForRecipient } from '../features/transfers/waiting-for-recipient.tsx';
import type { Offer } from '../lib/offer.ts';
import { openTransferParam } from '../lib/paths.ts';
import { wantedSending } from '../lib/sending-path.ts';
import { useSession } from '../lib/session.ts';
import { toastError } from '../lib/toast.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Page } from '../ui/page.tsx';
import classes from './dashboard.module.css';

/** The card form and the provider's packages come after the panel, before they are needed. */
const loadPaymentDialog = () => import('../features/payment/payment-dialog.tsx');
const PaymentDialog = lazy(loadPaymentDialog);
/** Nothing to send money needs it: it comes by itself, and its absence leaves the panel as it is. */
const ComparisonWidget = lazy(() =>
  import('../features/comparison/comparison-widget.tsx').then(
    (file) => ({ default: file.ComparisonWidget }),
    () => ({ default: ComparisonMissing }),
  ),
);

function ComparisonMissing() {
  return <LoadError message={comparisonFailed} retry={() => window.location.reload()} />;
}

/** The sender's panel. */
export function Component() {
  const session = useSession();
  const [search, setSearch] = useSearchParams();
  const recipients = useQuery(recipientsQuery);
  const [recipientId, setRecipientId] = useState('');
  const [offer, setOffer] = useState<Offer | null>(null);
  const amount = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Should it fail now, it is asked for again when somebody pays.
    loadPaymentDialog().catch(() => undefined);
  }, []);
  const [wanted, setWanted] = useState({ sending: wantedSending(search), times: 0 });
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
    setWanted(({ times }) => ({ sending: { amount: transfer.amount, currency: transfer.currency }, times: times + 1 }));
    choose(known && transfer.recipientId ? transfer.recipientId : '', true);
    if (!known && transfer.recipient) {
      toastError(`${transfer.recipient} ya no está en tu lista`, 'Elige otro destinatario o añádelo otra vez.');
    }
  };
  const choose = (id: string, askedFor: boolean) => {
    setRecipientId(id);
    if (!askedFor) return;
    // The dialog that asked gives the focus back to its button first.
    window.setTimeout(() => {
      amount.current?.scrollIntoView({ block: 'center' });
      amount.current?.focus();
    }, 250);
  };
  const backToPanel = () => {
    setOffer(null);
    document.getElementById('transfers')?.scrollIntoView({ block: 'start' });
  };
  return (
    <Page title="Tu Panel de Remesas" lead={session.data && `Hola, ${session.data.user.name}`}>
      <Stack gap="lg">
        <WaitingForRecipient recipients={recipients.data} />
        <SummaryCards />
        <div className={classes.columns}>
          <SendForm
            recipients={recipients.data}
            recipientId={recipientId}
            onRecipient={setRecipientId}
            asksBirthDate={session.data?.user.birthDateKnown === false}
            key={wanted.times}
            wanted={wanted.sending}
            amountRef={amount}
            onPay={setOffer}
          />
          <RateBanner />
        </div>
        <Suspense fallback={<WidgetLoading />}>
          <ComparisonWidget />
        </Suspense>
        <RecipientList onChosen={choose} />
        <RecentTransfers
          openId={search.get(openTransferParam) ?? ''}
          onOpen={openTransfer}
          onClose={() => openTransfer(null)}
          onRepeat={repeat}
        />
        <RateHistory />
        <RateAlerts />
        <BankBoard />
      </Stack>
      {offer && (
        <Suspense>
          <PaymentDialog offer={offer} onClose={() => setOffer(null)} onDone={backToPanel} />
        </Suspense>
      )}
    </Page>
  );
}
