import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ReviewView } from '#core/contracts/http/review';
import { TransfersTab } from './features/admin/transfers/transfers-tab.tsx';
import { Checkout } from './features/payment/checkout.tsx';
import { remittancePlan } from './features/payment/checkout-payment.tsx';
import { RecipientList } from './features/recipients/recipient-list.tsx';
import Reminder from './features/repeats/reminder.tsx';
import { RecentTransfers } from './features/transfers/recent-transfers.tsx';
import { TransferDetail } from './features/transfers/transfer-detail.tsx';
import { storeSession } from './lib/storage.ts';
import PaymentSuccessPage from './routes/payment-success.tsx';
import { openAsAdmin, openDesk } from './testing/admin-panel.tsx';
import { showEnglish } from './testing/english.ts';
import { installFakeApi } from './testing/fake-api.ts';
import { answerPayments, openDialog } from './testing/payments.tsx';
import { renderApp, senderSession } from './testing/render-app.tsx';
import { sampleReview, sampleTransfer } from './testing/sample-admin-transfer.ts';
import { sampleCase, sampleRequest } from './testing/sample-case.ts';
import { juana } from './testing/sample-panel.ts';
import { quoteFor } from './testing/sample-rates.ts';
import { paidTransfer } from './testing/sample-transfer.ts';

const api = installFakeApi();
void RecentTransfers;
const clear = sampleReview().screening;
const hit: ReviewView['screening']['hits'][number] = {
  ...{ subject: 'recipient', name: 'Ramiro Condarco', source: 'us_ofac', source_id: '900101', programs: ['SDNTK'] },
  ...{ listed_name: 'CONDARCO VILLEGAS, Ramiro', score: 0.93, verdict: null, remembered: false },
};
const approval = { id: crypto.randomUUID(), by: 'Carla Arce', by_id: crypto.randomUUID(), at: '2026-11-21T15:00:00.000Z' };
const grave = (id: string) => ({
  transaction: sampleTransfer({
    id, fraud_warning: 'made_with_stolen_card', questions: 'waiting', user: 'Félix Baldivieso',
    card_risk: { level: 'elevated', score: 70, network: 'approved_by_network', reason: 'elevated_risk_level', message: 'Payment complete.', rule: null, review: null },
  }),
  review: sampleReview({
    id, needs_second: true, approval,
    reasons: [
      { code: 'fraud_warning', severity: 'serious' },
      { code: 'repeated', severity: 'serious', count: 1, minutes: 3 },
      { code: 'shared_card', severity: 'serious', accounts: 22, blocked: 0 },
      { code: 'card_risk', severity: 'warning', level: 'elevated', score: 70 },
    ],
    screening: { ...clear, hits: [{ ...hit, verdict: 'false_positive' }], note: 'Otra fecha', noted_by: 'Ana' },
    similar: [{ id: crypto.randomUUID(), date: '2026-11-20T14:00:00.000Z', user: 'Félix Baldivieso', recipient: 'Rosa Mamani', currency: 'EUR', amount: '99.00', state: 'completed', same: ['card'] }],
  }),
});
const plainItem = (id: string, t = {}, r = {}) => ({ transaction: sampleTransfer({ id, ...t }), review: sampleReview({ id, ...r }) });

const shot = async (name: string) => {
  await new Promise((r) => setTimeout(r, 400));
  await page.screenshot({ path: `./__shots/${name}.png` });
};

for (const lang of ['es', 'en'] as const)
  for (const width of [390, 1280]) {
    const v = `${lang}-${width}`;
    const start = async () => {
      await page.viewport(width, width === 390 ? 844 : 900);
      if (lang === 'en') await showEnglish();
    };
    const admin = (items: any[], address = '/', answers = {}) =>
      openAsAdmin(api, <TransfersTab />, {
        address,
        adminTransfers: () => ({ items: items.map((i) => i.transaction), nextCursor: null }),
        reviews: () => ({ items, nextCursor: null }),
        reviewQuestions: () => ({ items: [], nextCursor: null }),
        review: ({ params }) => ({ review: items.find((i) => i.review.id === params.id).review }),
        ...answers,
      });
    test(`admin ${v}`, async () => {
      await start();
      const g = grave(crypto.randomUUID());
      const small = plainItem(crypto.randomUUID(), { user: 'Ana Quispe', amount: '10.00', fee: '0.35', margin: '0.10' }, { processor_fee: '0.59' });
      const { screen } = await admin([g, small]);
      await expect.element(screen.getByTestId('review-line').first()).toBeVisible();
      await shot(`queue-${v}`);
      await screen.getByTestId('admin-row').filter({ hasText: 'Félix' }).getByTestId('admin-approve').click();
      await shot(`approve-grave-${v}`);
      document.querySelector('.mantine-Modal-content')?.scrollTo(0, 900);
      await shot(`approve-grave-2-${v}`);
      await userEvent.keyboard('{Escape}');
      await screen.getByTestId('admin-row').filter({ hasText: 'Ana Quispe' }).getByTestId('admin-approve').click();
      await shot(`approve-loss-${v}`);
      await userEvent.keyboard('{Escape}');
      await screen.getByTestId('review-line').filter({ hasText: 'Félix' }).click();
      await shot(`drawer-${v}`);
    });
    test(`blocked ${v}`, async () => {
      await start();
      const item = plainItem(crypto.randomUUID(), {}, { screening: { ...clear, status: 'hit', hits: [hit] } });
      const { screen } = await admin([item]);
      await screen.getByTestId('admin-row').getByTestId('admin-approve').click();
      await shot(`approve-impossible-${v}`);
    });
    test(`failed ${v}`, async () => {
      await start();
      const item = plainItem(crypto.randomUUID(), {}, { needs_second: true });
      const { screen } = await admin([item], '/', { reviews: () => ({ failure: 'internal' }), rateManagement: () => ({ failure: 'internal' }), review: () => ({ failure: 'internal' }) });
      await shot(`queue-failed-${v}`);
      await screen.getByTestId('admin-detail').click();
      await shot(`drawer-failed-${v}`);
      await screen.getByTestId('admin-drawer').getByRole('button').first().click();
      await screen.getByTestId('admin-row').getByTestId('admin-approve').click();
      await shot(`approve-failed-${v}`);
      api.answer({ review: () => ({ review: item.review }) });
      await page.getByRole('dialog').getByRole('button', { name: /Reintentar|Try again/ }).click();
      await shot(`approve-first-${v}`);
    });
    test(`profit ${v}`, async () => {
      await start();
      const item = plainItem(crypto.randomUUID(), { state: 'completed', status: 'completed', timeline: [{ state: 'captured', at: '2026-11-21T14:05:00.000Z', owner: 'payments' }] });
      await admin([item], `/?transfer=${item.review.id}`, { transferProfit: () => ({ profit: [{ currency: 'EUR', fee: '0.35', margin: '0.10', processor: '-0.59', loss: '0.00', total: '-0.14', estimated: ['margin', 'processor'] }] }) });
      await shot(`profit-${v}`);
    });
    test(`desk ${v}`, async () => {
      await start();
      const one = sampleCase({ request: sampleRequest(), actions: [] });
      const { screen } = await openDesk(api, [one], one.id);
      await screen.getByTestId('desk-approve').click();
      await shot(`desk-${v}`);
    });
    test(`sender ${v}`, async () => {
      await start();
      storeSession(senderSession);
      const step = (state: any, at: string) => ({ state, at, owner: 'payments' });
      const base = { ...paidTransfer, id: crypto.randomUUID(), timeline: [step('captured', '2026-11-20T15:00:00.000Z')] };
      const views: Record<string, any> = {
        late: { state: 'captured', estimatedDelivery: '2026-11-20T04:00:00.000Z' },
        cancelling: { state: 'captured', cancelRequested: true },
        owed: { state: 'refunding', status: 'refunded', refund: { channel: 'card', state: 'failed', reference: null }, timeline: [...base.timeline, step('refunding', '2026-11-21T15:00:00.000Z')] },
        bank: { state: 'refunded', status: 'refunded', returned: '100.00', refund: { channel: 'bank', state: 'done', reference: 'TRF-77' }, timeline: [...base.timeline, step('refunding', '2026-11-21T15:00:00.000Z'), step('refunded', '2026-11-22T15:00:00.000Z')] },
        part: { state: 'completed', status: 'completed', payoutReturned: '100.00', timeline: [...base.timeline, step('completed', '2026-11-21T15:00:00.000Z')] },
      };
      for (const [name, changes] of Object.entries(views)) {
        const transfer = { ...base, id: crypto.randomUUID(), ...changes };
        api.answer({ me: () => senderSession, getTransfer: () => transfer, listRecipients: () => ({ items: [juana], nextCursor: null }), createTrackingLink: () => ({ token: 'a'.repeat(43) }), arrivalTimes: () => ({ times: [] }) } as any);
        const none = () => undefined;
        const { screen } = await renderApp([{ path: '/', element: <TransferDetail id={transfer.id} onClose={none} onRepeat={none} onSchedule={none} onPay={none} recipients={{ data: [juana] } as any} recipientEditor={(() => null) as any} /> }]);
        await shot(`sender-${name}-${v}`);
        await screen.unmount();
      }
    });
    test(`pay ${v}`, async () => {
      await start();
      const nameCheck = { status: 'different', bankSays: 'P*** Q***', confirmed: false } as const;
      const unconfirmed = { ...juana, id: crypto.randomUUID(), nameCheck };
      answerPayments(api);
      api.answer({ createPaymentIntent: () => ({ failure: 'name_not_confirmed', status: 409, name: 'Juana Mamani', bankSays: 'P*** Q***' }) });
      const d = await openDialog();
      await shot(`refused-${v}`);
      await d.screen.unmount();
      api.answer({ listRecipients: () => ({ items: [unconfirmed], nextCursor: null }), quote: ({ body }: any) => quoteFor(body) } as any);
      const c = await renderApp([{ path: '/', element: <Checkout plan={remittancePlan} recipients={[unconfirmed]} /> }]);
      await c.screen.getByTestId('pay-recipient').selectOptions(unconfirmed.id);
      await c.screen.getByTestId('pay-continue').click();
      await shot(`checkout-${v}`);
      await c.screen.unmount();
      const r = await renderApp([{ path: '/', element: <RecipientList onChosen={() => undefined} /> }], `/?destinatario=${unconfirmed.id}`);
      await shot(`recipient-${v}`);
      await r.screen.unmount();
      const reminder = { id: crypto.randomUUID(), period: '2026-12-05', at: '2026-12-05T13:00:10.000Z', lapsesAt: '2027-01-05T13:00:00.000Z', state: 'open', problem: null, transferId: null };
      const repeat = { id: crypto.randomUUID(), state: 'active', recipient: { id: unconfirmed.id, name: 'Juana Mamani', bankName: 'X', removed: false }, fixed: 'pay', amount: '100.00', currency: 'EUR', every: 'month', day: 5, hour: 9, zone: 'America/La_Paz', nextDay: '2027-01-05', nextAt: '2027-01-05T13:00:00.000Z', createdAt: '2026-11-20T14:00:00.000Z' };
      api.answer({ getReminder: () => ({ ...reminder, repeat: { ...repeat, reminder } }) } as any);
      const m = await renderApp([{ path: '/', element: <Reminder id={reminder.id} asksBirthDate={false} onClose={() => undefined} onPay={() => undefined} onTransfer={() => undefined} /> }]);
      await m.screen.getByTestId('reminder-review').click();
      await shot(`reminder-${v}`);
      await m.screen.unmount();
      api.answer({ paymentStatus: () => ({ status: 'requires_payment_method', providerStatus: 'requires_payment_method' }) });
      await renderApp([{ path: '/payment-success', element: <PaymentSuccessPage /> }], '/payment-success?payment_intent=pi_1');
      await shot(`return-${v}`);
    });
  }
