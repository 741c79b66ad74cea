import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { SourceHealthView } from '#core/contracts/http/rate-source-health';
import { caseReasonNames } from '#core/operations/desk-case';
import { guardRails } from '#core/rates/guard-rails';
import { rateSourceNames, rateSources } from '#core/rates/sources';
import { transferStateNames } from '#core/transfers/states';
import { expectAccessible } from '../../testing/accessibility.ts';
import { emptyStats, openAsAdmin, openDesk, sampleChange, sampleRates } from '../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { adminSession } from '../../testing/render-app.tsx';
import { sampleTransfer } from '../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleDispute, sampleOperation, sampleRequest } from '../../testing/sample-case.ts';
import { AdminPanel, RefreshButton } from './admin-panel.tsx';
import { StatCards } from './overview.tsx';
import { RateDesk } from './rates/rate-desk.tsx';
import { RatesTab } from './rates/rates-tab.tsx';
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

test('the desk is in English alone for every reason of a case', async () => {
  const disputes = [sampleDispute(), sampleDispute({ id: 'du_2', status: 'lost', can_respond: false })];
  const cases = caseReasonNames.map((reason) =>
    sampleCase({
      ...{ reason, disputes, operation: sampleOperation({ attempts: 12, returned: '250.00' }) },
      transaction: sampleTransfer({ state: 'captured', correct_account_by: '2026-12-05T15:00:00.000Z' }),
    }),
  );
  const { screen } = await openDesk(api, cases);
  const costs = screen.getByTestId('desk-cost');
  await expect
    .element(costs.nth(caseReasonNames.indexOf('dispute_opened')))
    .toMatchTextContent(/without evidence by Nov 30, 2026, 7:59\sPM \(La Paz time\), the dispute is lost/);
  await expect
    .element(screen.getByTestId('desk-case').nth(caseReasonNames.indexOf('operation_slow')))
    .toMatchTextContent(/We have made 12 attempts to pay the family.*BOB 1,291\.17 pending/);
  await expectEnglishAtAnyWidth();
  await expectAccessible();
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

test('the history of rates and why sources fail are in English alone', async () => {
  const failures = [
    ...(['unreachable', 'timeout', 'forbidden', 'too_many_requests', 'circuit_open', 'too_large'] as const),
    'unexpected_error',
  ].map((code) => ({ code, sentence: 'Mensaje del servidor' }));
  const withFacts = [
    { code: 'bad_status', status: 503, sentence: 'Mensaje del servidor' },
    { code: 'changed_shape', field: 'rate', sentence: 'Mensaje del servidor' },
    { code: 'absurd_value', field: 'rate', sentence: 'Mensaje del servidor' },
  ];
  const statuses = ['working', 'failing', 'circuit_open', 'never_asked'] as const;
  const lastSuccessAt = new Date(Date.now() - 5 * hourMs).toISOString();
  const sources = [...failures, ...withFacts].map(
    (lastFailure, index): SourceHealthView => ({
      ...{
        source: rateSources[index] ?? 'ria',
        name: rateSourceNames[rateSources[index] ?? 'ria'],
        status: statuses[index % 4] ?? 'working',
        lastAskedAt: null,
      },
      ...{ lastSuccessAt: index < 2 ? null : lastSuccessAt, latencyMs: 1240, attempts: 12, failures: 3, lastFailure },
    }),
  );
  const states = ['awaiting_confirmation', 'scheduled', 'activated', 'declined', 'cancelled', 'expired'] as const;
  const decided = { reason: 'The market jumped', decidedBy: 'Luis Rojas', activateAt: '2026-11-25T12:00:00.000Z' };
  const { screen } = await openAsAdmin(api, <RatesTab />, {
    rateHistory: () => ({
      items: states.map((state, index) => sampleChange({ ...decided, id: String(index), state })),
      nextCursor: null,
    }),
    rateSources: () => ({ sources, lastRunAt: '2026-11-21T15:00:00.000Z' }),
    updateRates: () => ({
      updated: 1,
      failed: withFacts.map(({ code, ...facts }) => ({ ...facts, source: 'ria', reason: code })),
    }),
  });
  await expect
    .element(screen.getByTestId('admin-rate-history-row').nth(1))
    .toMatchTextContent(/1 USD = 14\.50 BOB.*from Nov 25, 2026, 8:00\sAM/);
  await expect.element(screen.getByTestId('admin-rate-source').nth(2)).toMatchTextContent(/5 h ago.*3 of 12|3 of 12/);
  await screen.getByTestId('admin-rate-ask').click();
  await expect
    .element(screen.getByTestId('admin-rate-ask-result'))
    .toMatchTextContent(/^1 source answered, 3 did not: Ria \(Answered with an error \(503\)\), Ria \(It changed/);
  await expectEnglishAtAnyWidth();
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

test('a request that waits for a second person, and what changed under it, are in English alone', async () => {
  const one = sampleCase({ request: sampleRequest({ reason: 'Not needed any more.' }), actions: [] });
  const { screen } = await openDesk(api, [one], one.id);
  await expect
    .element(screen.getByTestId('desk-request'))
    .toMatchTextContent(/Marta Flores asked to refund the money\..*EUR 100\.00/);
  const now = {
    ...one,
    ...{ version: 2, request: null, owed: '40.00', assigned_to: 'Luis Rojas', assigned_to_id: crypto.randomUUID() },
    notes: [{ author: 'Luis Rojas', text: 'Done.', at: '2026-11-21T16:00:00.000Z' }],
    operations: [sampleOperation({ status: 'succeeded' })],
    disputes: [sampleDispute()],
  };
  api.answer({ decideDeskRequest: () => ({ failure: 'already_decided', status: 409, case: now }) });
  await screen.getByTestId('desk-decline').click();
  await expect
    .element(screen.getByTestId('desk-changes'))
    .toMatchTextContent(/changed from EUR 100\.00 to EUR 40\.00.*It is now assigned to Luis Rojas.*wrote a note/);
  // What the server says stands in until the sentences of failures are loaded.
  expectEnglishOnly('Mensaje de already_decided.');
});

const hand = { action: 'pay_by_hand', amount: '1291.17', currency: 'BOB', reason: 'The bank asked for it.' } as const;
const mine = { requested_by: adminSession.user.name, requested_by_id: adminSession.user.id };
const denial = { action: 'refute', amount: null, currency: null, reason: 'It never left.', has_proof: true } as const;
const reservation = sampleRequest({ ...hand, reserved: true });
const report = sampleRequest({ ...hand, has_proof: true, bank_reference: 'BU-1' });
const refutation = sampleRequest({ id: '0199b2d0-0000-4000-8000-0000000000e9', ...denial });

for (const [name, more] of [
  ['reserved by oneself', { request: { ...reservation, ...mine } }],
  ['reported by a colleague', { request: report }],
  ['denied by a colleague', { request: report, refutation }],
] as const) {
  test(`a settlement by hand that was ${name} is in English alone, with its dialogs`, async () => {
    await page.viewport(390, 844);
    const one = sampleCase({ reason: 'settlement_by_hand', operation: null, details: null, actions: [], ...more });
    const { screen } = await openDesk(api, [one], one.id);
    await expect.element(screen.getByTestId('desk-request')).toBeVisible();
    expectEnglishOnly();
    for (const opener of ['desk-report', 'desk-refute']) {
      if (screen.getByTestId(opener).elements().length === 0) continue;
      await screen.getByTestId(opener).click();
      await screen.getByTestId('desk-confirm').click();
      expectEnglishOnly();
      await userEvent.keyboard('{Escape}');
      await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
    }
  });
}
