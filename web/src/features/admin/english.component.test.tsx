import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { guardRails } from '#core/rates/guard-rails';
import { transferStateNames } from '#core/transfers/states';
import { expectAccessible } from '../../testing/accessibility.ts';
import { emptyStats, openAsAdmin, openDesk, sampleChange, sampleRates } from '../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { sampleTransfer } from '../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleDispute, sampleOperation, sampleRequest } from '../../testing/sample-case.ts';
import { AdminPanel, RefreshButton } from './admin-panel.tsx';
import { StatCards } from './overview.tsx';
import { RateDesk } from './rates/rate-desk.tsx';
import { TransfersTab } from './transfers/transfers-tab.tsx';

const api = installFakeApi();
installFakeLive();
beforeEach(async () => {
  await page.viewport(1280, 900);
  await showEnglish();
});

/** A market source that every reader sees by its own name. */
const sourceName = 'Dólar API';
const hourMs = 3_600_000;

/** Asserts that the page as it is has no Spanish in it and fits the screen, on a phone and then on a desktop. */
async function expectEnglishAtAnyWidth(...names: string[]): Promise<void> {
  for (const width of [390, 1280]) {
    await page.viewport(width, 900);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    expectEnglishOnly(...names);
  }
}

test('figures, people and a paused currency are shown to an admin in English alone', async () => {
  const USD = { currency: 'USD', rate: '11.55', source: 'admin', paused: true, marketSeenAt: null } as const;
  const stale = { ...USD, lastUpdated: '2026-11-20T14:00:00.000Z' };
  const someone = {
    email: 'carmen@example.com',
    role: 'user',
    adminRole: null,
    transactionsCount: 1,
    totalVolume: '1234.50',
    ...{ closedAt: null, blockedAt: null },
  } as const;
  const { screen } = await openAsAdmin(
    api,
    <>
      <RefreshButton />
      <StatCards />
      <AdminPanel />
    </>,
    {
      address: '/?tab=users',
      adminStats: () => ({ ...emptyStats, dailyVolume: '1210.50', dailyTrend: '12.5', monthlyTrend: '-3.0' }),
      adminUsers: () => ({
        items: [
          { ...someone, id: crypto.randomUUID(), name: 'Carmen Rojas', lastActive: '2026-11-21T14:00:00.000Z' },
          {
            ...someone,
            id: crypto.randomUUID(),
            name: 'Ana Quispe',
            lastActive: null,
            role: 'admin',
            adminRole: 'owner',
          },
        ],
        nextCursor: null,
      }),
      getRates: () => ({ ...stale, rates: { USD: stale, EUR: { ...stale, currency: 'EUR' } } }),
      refresh: () => ({ success: true, count: 2, sourcesAsked: false, message: 'Mensaje.' }),
    },
  );
  await expect
    .element(screen.getByTestId('admin-user-row').first())
    .toMatchTextContent(/Carmen Rojas.*\$1,234\.50.*Nov 21, 2026, 10:00\sAM/);
  await expect
    .element(screen.getByTestId('admin-stats-daily'))
    .toMatchTextContent('Daily volume$1,210.50+12.5% vs yesterday');
  await expect.element(screen.getByTestId('admin-stats-monthly')).toMatchTextContent(/−3\.0% vs last month/);
  await expect
    .element(screen.getByTestId('admin-paused-USD'))
    .toMatchTextContent(/USD transfers are paused.*Nov 20, 2026, 10:00\sAM \(La Paz time\)/);
  await screen.getByTestId('admin-refresh').click();
  await expect
    .element(screen.getByText('Checking 2 open transfers. The rate sources were asked less than a minute ago.'))
    .toBeVisible();
  await expectEnglishAtAnyWidth(sourceName);
  await expectAccessible();
});

test('transfers in every state, their details and decisions are in English alone', async () => {
  const steps: [AdminTransferView['state'], string][] = [
    ...(['awaiting_payment', 'in_review', 'approved', 'captured'] as const).map((state) => [state, 'admin'] as const),
    ...([
      ['payout_failed', 'payouts'],
      ['captured', 'sender'],
      ['completed', 'payouts'],
    ] as const),
    ...([
      ['payout_failed', 'payouts'],
      ['refunding', 'clock'],
      ['refunded', 'payments'],
    ] as const),
    ...([
      ['refunding', 'payments'],
      ['refunded', 'payments'],
      ['expired', 'clock'],
      ['failed', 'payments'],
    ] as const),
    ...([
      ['rejected', 'admin'],
      ['cancelled', 'sender'],
    ] as const),
  ].map(([state, owner]) => [state, owner]);
  const timeline = steps.map(([state, owner], index) => ({
    ...{ state, owner },
    at: new Date(Date.UTC(2026, 10, 21, 14, index)).toISOString(),
  }));
  const rows = transferStateNames.map((state) =>
    sampleTransfer({ ...{ id: crypto.randomUUID(), state }, status: state === 'in_review' ? 'pending' : 'refunded' }),
  );
  const urgent = sampleTransfer({
    ...{
      id: crypto.randomUUID(),
      date: '2026-11-21T18:00:00.000Z',
      recipient: '',
      recipient_id: null,
      fraud_warning: 'made_with_stolen_card',
    },
    ...{ capture_before: new Date(Date.now() + 5 * hourMs).toISOString(), decided_by: 'Marta Flores', timeline },
    ...{ decided_at: '2026-11-21T15:00:00.000Z', payout_reference: 'BU-1', returned: '25.00', reason: 'No papers.' },
  });
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    adminTransfers: () => ({ items: [urgent, ...rows], nextCursor: null }),
    adminStats: () => ({ ...emptyStats, views: { to_decide: 1200, stuck: 1, today: 2 } }),
  });
  await expect.element(screen.getByTestId('admin-row').first()).toMatchTextContent(/Expires in [45] h/);
  await expect.element(screen.getByTestId('admin-row').nth(1)).toMatchTextContent(/BOB 1,291\.17/);
  await expect.element(screen.getByTestId('admin-view-to_decide')).toMatchTextContent('To decide (1,200)');
  await screen.getByTestId('admin-filters').click();
  await expect.element(screen.getByTestId('admin-filter-bank')).toBeVisible();
  await expectEnglishAtAnyWidth();
  await screen.getByTestId('admin-detail').first().click();
  const drawer = screen.getByTestId('admin-drawer');
  await expect
    .element(drawer)
    .toMatchTextContent(/The card may be stolen.*EUR 100\.00.*0\.75%.*Refunded to the senderEUR 25\.00/);
  await expect.element(drawer).toMatchTextContent(/Nov 21, 2026, 10:01\sAM · Admin team/);
  expectEnglishOnly();
  await expectAccessible();
  await drawer.getByTestId('admin-reject').click();
  await expect.element(screen.getByRole('dialog').last()).toMatchTextContent(/The hold on the card is released/);
  await expectEnglishAtAnyWidth();
});

test('the rate desk is in English alone, and takes a rate with either decimal sign', async () => {
  const open = sampleChange({
    ...{ reason: 'The market jumped', guardRails: [...guardRails] },
    activateAt: '2036-11-25T12:00:00.000Z',
  });
  const { screen } = await openAsAdmin(api, <RateDesk />, {
    rateManagement: () => sampleRates({ USD: open }),
    setRate: () => ({ failure: 'rate_reason_required', status: 422, guardRails: ['step_too_large'] }),
  });
  await expect
    .element(screen.getByTestId('admin-rate-open-USD'))
    .toMatchTextContent(/11\.55 → 14\.50 BOB\s*\(\+25\.5%\).*Requested by Ana Quispe, Nov 21, 2026, 11:00\sAM/);
  const panel = screen.getByTestId('admin-rate-EUR');
  await expect.element(panel).toMatchTextContent(/13\.60 BOB1 source.*Our margin1\.61%.*13\.32 BOB/);
  await expect.element(screen.getByTestId('admin-rate-current-EUR')).toMatchTextContent(/1 EUR = 13\.38 BOB/);
  const field = screen.getByTestId('admin-rate-input-EUR');
  await expect.element(field).toHaveAttribute('placeholder', 'For example 13.38');
  await userEvent.type(field, '15,2');
  await expect.element(field).toHaveValue('15.2');
  await screen.getByTestId('admin-rate-save-EUR').click();
  await expect.element(screen.getByTestId('admin-rate-needed')).toMatchTextContent(/It is more than 20\.00% away/);
  await screen.getByTestId('admin-rate-when-EUR').getByText('At a set time').click();
  await expect.element(screen.getByText('From (La Paz time)')).toBeVisible();
  await screen.getByTestId('admin-rate-sources-EUR').click();
  await expect.element(screen.getByText('Median of these sources (La Paz time)').last()).toBeVisible();
  expectEnglishOnly(sourceName, 'America/La_Paz');
  await expectAccessible();
});

test('a case with all that can be in it is in English alone, and so is every dialog that acts on it', async () => {
  await page.viewport(390, 844);
  const request = sampleRequest({ reason: 'Not needed any more.' });
  const done = { decided_by: 'Luis Rojas', decided_at: '2026-11-21T17:00:00.000Z', bank_reference: 'BU-1' };
  const one = sampleCase({
    actions: ['retry', 'give_up_and_refund', 'refund_at_loss', 'pay_by_hand', 'refund_by_hand', 'resolve'],
    decided: [
      { ...request, ...done, id: crypto.randomUUID(), outcome: 'declined' },
      { ...request, ...done, id: crypto.randomUUID(), outcome: 'approved', has_proof: true },
    ],
    disputes: [sampleDispute(), sampleDispute({ id: 'du_2', status: 'lost', can_respond: false })],
    operations: (['pending', 'in_flight', 'unknown', 'succeeded', 'failed', 'abandoned'] as const).map(
      (status, index) => sampleOperation({ status, id: String(index), sequence: index + 1, returned: '250.00' }),
    ),
    notes: [{ author: 'Marta Flores', text: 'Called the bank.', at: '2026-11-21T16:00:00.000Z' }],
  });
  const { screen } = await openDesk(api, [one], one.id);
  const details = screen.getByTestId('desk-details');
  await expect
    .element(details)
    .toMatchTextContent(/The sender has paid EUR 100\.00 and the family has not received BOB 1,291\.17 yet/);
  await expect.element(details).toMatchTextContent(/Payout no\. 2.*BOB 250\.00 came back.*1 attempt · by the bank/);
  await expect.element(details).toMatchTextContent(/Refund the money \(declined\)/);
  expectEnglishOnly();
  await expectAccessible();
  for (const action of one.actions) {
    await screen.getByTestId(`desk-action-${action}`).click();
    const confirm = screen.getByTestId('desk-confirm');
    await expect.element(confirm).toBeVisible();
    if (action !== 'retry') await confirm.click();
    expectEnglishOnly();
    await userEvent.keyboard('{Escape}');
    await expect.element(confirm).not.toBeInTheDocument();
  }
});
