import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Loader, Overlay, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type MetaFunction, matchPath, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { openReminderParam, openTransferParam } from '#core/contracts/page-addresses';
import type { Offer } from '../data/payments.ts';
import { recipientsQuery } from '../data/recipients.ts';
import type { RepeatStart } from '../data/repeats.ts';
import { useSession } from '../data/session.ts';
import { refreshTransfers, useLastCurrency } from '../data/transfers.ts';
import { comparisonFailed, WidgetLoading } from '../features/comparison/comparison-messages.tsx';
import classes from '../features/dashboard/dashboard.module.css';
import { SendForm } from '../features/dashboard/send-form.tsx';
import { LimitsLine, SummaryCards } from '../features/dashboard/summary-cards.tsx';
import { useInterruptedPayment } from '../features/payment/return-address.ts';
import { RateAlerts } from '../features/rates/rate-alerts.tsx';
import { RateBanner } from '../features/rates/rate-banner.tsx';
import { RateHistory } from '../features/rates/rate-history.tsx';
import { RecipientEditor } from '../features/recipients/recipient-form.tsx';
import { AddRecipient, RecipientList } from '../features/recipients/recipient-list.tsx';
import { useTarget } from '../features/shell/page-change.tsx';
import { RecentTransfers } from '../features/transfers/recent-transfers.tsx';
import { TransferDetail } from '../features/transfers/transfer-detail.tsx';
import { TransferTimeline } from '../features/transfers/transfer-timeline.tsx';
import { UnderWay } from '../features/transfers/under-way.tsx';
import { paths, readSendingPath, sendFormId, transfersId } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { draftChanges, questionOf, type SendingDraft, useSendingDraft } from '../lib/sending-draft.ts';
import { toastError } from '../lib/toast.ts';
import { useUsualCurrency } from '../lib/usual-currency.ts';
import { Dialog, focusAfterDialog } from '../ui/dialog.tsx';
import { useIsPhone } from '../ui/hooks.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Page } from '../ui/page.tsx';
import { LoadingRows } from '../ui/states.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Tu Panel de Remesas`) }];

/** The card form and the provider's packages come after the panel, before they are needed. */
const loadPaymentDialog = () => import('../features/payment/payment-dialog.tsx');
const PaymentDialog = lazy(loadPaymentDialog);
const BankBoard = lazy(async () => ({ default: (await import('../features/rates/bank-board.tsx')).BankBoard }));
const ComparisonWidget = lazy(async () => ({
  default: (await import('../features/comparison/comparison-widget.tsx')).ComparisonWidget,
}));

// Come with the part of the panel that has them, or when they are asked for.
const RepeatDialog = lazy(() => import('../features/repeats/repeat-dialog.tsx'));
const DueRepeats = lazy(() => import('../features/repeats/due-repeats.tsx'));
const RepeatList = lazy(() => import('../features/repeats/repeat-list.tsx'));
/** What the link of a reminder opens: its file comes while it is asked who is signed in. */
const loadReminder = () => import('../features/repeats/reminder.tsx');
const Reminder = lazy(loadReminder);
if (!import.meta.env.SSR && window.location.search.includes(openReminderParam)) loadReminder().catch(() => undefined);

/**
 * The parts of the panel. On wide screens all are one page, and each address leads to its part of it; on a phone each is a page of
 * its own, whose title is that of the bar below.
 */
const parts = [
  { name: 'send', path: paths.dashboard, title: msg`Tu Panel de Remesas`, id: '' },
  { name: 'transfers', path: paths.transfers, title: msg`Envíos`, id: transfersId },
  { name: 'recipients', path: paths.recipients, title: msg`Destinatarios`, id: 'recipients-title' },
  { name: 'rates', path: paths.rates, title: msg`Tasas`, id: 'comparison-widget-title' },
] as const;

/**
 * The sender's panel; first of all what became of a payment that a reload interrupted. It stays the same component under all its
 * addresses and at every width, so that turning a phone loses nothing that is open or typed.
 */
export default function DashboardPage() {
  const interrupted = useInterruptedPayment();
  const { pathname, search, hash } = useLocation();
  const phone = useIsPhone();
  const part = parts.find(({ path }) => matchPath(path, pathname)) ?? parts[0];
  useTarget(phone ? '' : part.id, pathname);
  if (interrupted) return <Navigate to={interrupted} replace />;
  // Links from when the panel was one page.
  if (phone && part.name === 'send' && hash === `#${transfersId}`)
    return <Navigate to={{ pathname: paths.transfers, search }} replace />;
  return <Dashboard phone={phone} part={part} />;
}

function Dashboard({ phone, part }: { phone: boolean; part: (typeof parts)[number] }) {
  const session = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const recipients = useQuery(recipientsQuery);
  const usual = useUsualCurrency();
  const last = useLastCurrency();
  const preferred = session.data?.user.preferredCurrency;
  const { draft, change } = useSendingDraft(session.data?.user.id ?? null, preferred ?? last ?? usual);
  const question = questionOf(draft);
  const [offer, setOffer] = useState<Offer | null>(null);
  const [scheduling, setScheduling] = useState<RepeatStart | null>(null);
  const amount = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Should it fail now, it is asked for again when somebody pays.
    loadPaymentDialog().catch(() => undefined);
  }, []);
  useSendingOfAddress(change);
  const openIn = (param: string, id: string | null) =>
    setSearch(
      (now) => {
        for (const name of [openTransferParam, openReminderParam]) now.delete(name);
        if (id) now.set(param, id);
        return now;
      },
      { preventScrollReset: true, replace: id === null },
    );
  const openTransfer = (id: string | null) => openIn(openTransferParam, id);
  const [openId, reminderId] = [search.get(openTransferParam), search.get(openReminderParam)];
  const asksBirthDate = session.data?.user.birthDateKnown === false;
  const unprovenEmail = session.data?.user.emailProven === false ? session.data.user.email : null;
  const shows = (name: (typeof part)['name']) => !phone || part.name === name;
  /** The form filled in as this transfer was; its figures are the server's of now. */
  const repeat = (transfer: TransferView) => {
    const known = recipients.data?.some(({ id }) => id === transfer.recipientId) ?? true;
    change({ amount: transfer.amount, currency: transfer.currency });
    change({ recipientId: known && transfer.recipientId ? transfer.recipientId : '' });
    if (shows('send')) openTransfer(null);
    // Takes the place of an address that named the transfer.
    toForm({ replace: openId !== null });
    if (!known && transfer.recipient) {
      const name = transfer.recipient;
      toastError(t`${name} ya no está en tu lista`, t`Elige otro destinatario o añádelo otra vez.`);
    }
  };
  const schedule = ({ recipientId, amount, currency }: TransferView) =>
    setScheduling({ recipientId, amount, currency });
  const choose = (id: string, askedFor: boolean) => {
    change({ recipientId: id });
    if (askedFor) toForm({ replace: false });
  };
  const toForm = ({ replace }: { replace: boolean }) => {
    if (!shows('send')) return void navigate({ pathname: paths.dashboard, hash: sendFormId }, { replace });
    focusAfterDialog(() => amount.current);
  };
  const pay = (left: Offer) => {
    if (openId || reminderId) openTransfer(null);
    setOffer(left);
  };
  const closePayment = () => {
    setOffer(null);
    // What was opened and not paid is in the list, to go on with.
    void refreshTransfers(queryClient);
  };
  const backToPanel = () => {
    setOffer(null);
    // On a phone what is under way stands above the form.
    (document.getElementById(transfersId) ?? document.getElementById('content'))?.scrollIntoView({ block: 'start' });
  };
  const name = session.data?.user.name;
  return (
    <Page title={i18n._(phone ? part.title : parts[0].title)} lead={name && t`Hola, ${name}`} quiet={phone}>
      <Stack gap="lg" className={classes.parts}>
        {shows('send') && (
          <LazyPart missing={null}>
            <DueRepeats onReview={(id) => openIn(openReminderParam, id)} />
          </LazyPart>
        )}
        {shows('send') && <UnderWay onOpen={openTransfer} />}
        {!phone && <SummaryCards />}
        {(shows('send') || shows('rates')) && (
          <div className={classes.panel}>
            {shows('send') && (
              <SendForm
                recipients={recipients}
                adding={AddRecipient}
                draft={draft}
                onChange={change}
                asksBirthDate={asksBirthDate}
                unprovenEmail={unprovenEmail}
                amountRef={amount}
                onPay={setOffer}
              />
            )}
            {shows('rates') && <RateBanner />}
          </div>
        )}
        {phone && shows('send') && <LimitsLine />}
        {shows('rates') && (
          <LazyPart pending={<WidgetLoading />} missingMessage={comparisonFailed()}>
            <ComparisonWidget
              question={question}
              onChange={shows('send') ? null : (next) => change(draftChanges(draft, next))}
            />
          </LazyPart>
        )}
        {shows('recipients') && (
          <RecipientList onChosen={choose} onSchedule={({ id }) => setScheduling({ recipientId: id })} />
        )}
        {shows('transfers') && <RecentTransfers onOpen={openTransfer} onPay={pay} onRepeat={repeat} />}
        {shows('transfers') && (
          <LazyPart pending={<LoadingRows rows={1} height={72} />}>
            <RepeatList onReview={(id) => openIn(openReminderParam, id)} />
          </LazyPart>
        )}
        {shows('rates') && (
          <>
            <RateHistory />
            <RateAlerts />
            <LazyPart pending={<WidgetLoading />} missingMessage={comparisonFailed()}>
              <BankBoard question={question} />
            </LazyPart>
          </>
        )}
      </Stack>
      {openId && (
        <TransferDetail
          key={openId}
          id={openId}
          onClose={() => openTransfer(null)}
          onRepeat={repeat}
          onSchedule={schedule}
          onPay={pay}
          recipients={recipients}
          recipientEditor={RecipientEditor}
        />
      )}
      {reminderId && (
        <LazyPart pending={<DialogLoading />}>
          <Reminder
            key={reminderId}
            id={reminderId}
            asksBirthDate={asksBirthDate}
            onClose={() => openTransfer(null)}
            onPay={pay}
            onTransfer={openTransfer}
          />
        </LazyPart>
      )}
      {offer && (
        <LazyPart pending={<DialogLoading />} missing={<DialogMissing onClose={closePayment} />}>
          <PaymentDialog
            offer={offer}
            onClose={closePayment}
            onDone={backToPanel}
            steps={TransferTimeline}
            onSchedule={schedule}
          />
        </LazyPart>
      )}
      {scheduling && (
        <LazyPart pending={<DialogLoading />}>
          <RepeatDialog start={scheduling} onClose={() => setScheduling(null)} />
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
