import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskAction } from '#core/operations/desk-action';
import type { TransferState } from '#core/transfers/states';
import { payoutIdOf } from '#domain/payouts/apply-payout';
import { choose, type Random } from '../../infra/testing/soak.ts';
import { requestJson, SandboxRefused } from '../../sandbox/testing/control-client.ts';
import { type ApiClient, CallFailed, openPayment, payWithCard } from '../api-client.ts';
import type { TestApp } from '../test-app.ts';
import { allowed, persistently } from './calls.ts';
import type { TransferWatch } from './watch.ts';

/** Maximum times that the sender, the desk or the bank resumes one transfer. */
const maxRounds = 3;

/** Pause before retrying an approval that still lacked its screening, in ms. */
const approvePauseMs = 300;

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  threeDSecure: '4000000000003220',
  pendingRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  disputed: '4000000000000259',
} as const;

export interface Sender {
  readonly client: ApiClient;
  readonly recipientId: string;
}

export interface StoryOptions {
  readonly app: TestApp;
  readonly watch: TransferWatch;
  readonly sender: Sender;
  /** Its number among all payments. */
  readonly index: number;
  readonly random: Random;
}

/** One payment from its opening to wherever its random choices lead it. */
export class Story {
  readonly #app: TestApp;
  readonly #watch: TransferWatch;
  readonly #sender: Sender;
  readonly #index: number;
  readonly #random: Random;
  #payment: Awaited<ReturnType<typeof openPayment>> | undefined;

  constructor({ app, watch, sender, index, random }: StoryOptions) {
    this.#app = app;
    this.#watch = watch;
    this.#sender = sender;
    this.#index = index;
    this.#random = random;
  }

  /** Ends when nothing of it is under way and no one resumes it. */
  async tell(): Promise<void> {
    const { client, recipientId } = this.#sender;
    const currency = choose(this.#random, { eur: 3, usd: 1 });
    // The same payment a second time would be the first one, gone on with.
    const cents = String(this.#index % 100).padStart(2, '0');
    const amount = `${choose(this.#random, { 20: 3, 37: 2, 60: 1 })}.${cents}`;
    const key = `payment-${this.#index}`;
    this.#payment = await persistently(() => openPayment(client, { amount, currency, recipientId, key }));
    if (this.#random() < 0.04) return this.#cancel();
    if (!(await this.#pay())) return this.#cancel();
    await this.#watch.wait(this.#id, 'it is in review', ({ state }) => state !== 'awaiting_payment');
    await this.#decide();
    let now = await this.#rest();
    for (let round = 0; round < maxRounds && (await this.#goOn(now)); round += 1) now = await this.#rest();
  }

  get #opened() {
    if (!this.#payment) throw new Error('the payment is not open yet');
    return this.#payment;
  }

  get #id(): string {
    return this.#opened.transferId;
  }

  /** Pays at Stripe as a browser does. Returns whether the card holds the amount in the end. */
  async #pay(): Promise<boolean> {
    const weights = {
      good: 50,
      declined: 5,
      noFunds: 4,
      threeDSecure: 10,
      pendingRefund: 10,
      failingRefund: 10,
      disputed: 8,
    };
    let card = choose(this.#random, weights);
    for (;;) {
      const { body } = await persistently(() => payWithCard(this.#app.stack.sandboxUrl, this.#opened, cards[card]));
      if (await this.#isHeld(body.status)) return this.#confirm();
      if (this.#random() < 0.4) return false;
      card = 'good';
    }
  }

  async #isHeld(status: string | undefined): Promise<boolean> {
    const { paymentIntentId } = this.#opened;
    if (status !== 'requires_action') {
      const path = `/v1/payment_intents/${paymentIntentId}`;
      const { status: now } = await persistently(() => this.#askStripe<{ status: string }>(path));
      return now === 'requires_capture';
    }
    const outcome = choose(this.#random, { complete: 3, fail: 1 });
    const path = `/sandbox/stripe/payment_intents/${paymentIntentId}/challenge`;
    await allowed(() => requestJson(this.#app.stack.sandboxUrl, 'POST', path, { outcome }));
    return this.#isHeld(undefined);
  }

  /** Half of the browsers close right after paying, and some lose the connection. */
  async #confirm(): Promise<boolean> {
    const body = { paymentIntentId: this.#opened.paymentIntentId };
    if (this.#random() < 0.5) await this.#sender.client.call(endpoints.confirmTransaction, { body }).catch(() => {});
    return true;
  }

  async #decide(): Promise<void> {
    const params = { id: this.#id };
    const choice = choose(this.#random, { approve: 84, reject: 8, cancel: 4, cancelWhileApproved: 8 });
    if (choice === 'cancel') return this.#cancel();
    if (choice === 'reject') return allowed(() => this.#app.admin.call(endpoints.reject, { params, body: {} }));
    await allowed(() => this.#approve());
    if (choice === 'cancelWhileApproved') await this.#cancel();
  }

  #approve(): Promise<void> {
    return this.#onceScreened(() => this.#app.admin.call(endpoints.approve, { params: { id: this.#id } }));
  }

  /** Approves something once the names are checked: the list service, or the worker that asks it, may be away. @throws other refusals. */
  async #onceScreened(approve: () => Promise<unknown>): Promise<void> {
    const params = { id: this.#id };
    const { admin } = this.#app;
    for (;;) {
      try {
        await persistently(approve);
        return;
      } catch (error) {
        if (!(error instanceof CallFailed) || error.code !== 'screening_needed') throw error;
        if (error.body?.screening === 'unavailable')
          await allowed(() => admin.call(endpoints.decideScreening, { params, body: { verdict: 'again' } }));
      }
      await pause(approvePauseMs);
    }
  }

  #cancel(): Promise<void> {
    return allowed(() => this.#sender.client.call(endpoints.cancelTransfer, { params: { id: this.#id } }));
  }

  /** Waits until nothing of it is under way. */
  async #rest(): Promise<TransferState> {
    const { state } = await this.#watch.wait(
      this.#id,
      'nothing of it is under way',
      ({ open, state }) => open === 0 && !['awaiting_payment', 'in_review', 'approved'].includes(state),
    );
    return state;
  }

  /** Lets a person act on a stalled transfer. Returns whether anyone did. */
  async #goOn(state: TransferState): Promise<boolean> {
    switch (state) {
      case 'completed':
        return this.#disturbCompleted();
      case 'payout_failed':
        return this.#takeUpFailed();
      case 'captured':
      case 'refunding':
        return this.#askDesk(choose(this.#random, { retry: 5, give_up_and_refund: 3, resolve: 2 }));
      default:
        return false;
    }
  }

  /** The bank returns the payout, or money is refunded in Stripe's dashboard. */
  async #disturbCompleted(): Promise<boolean> {
    const weights = {
      nothing: 60,
      bounce: 16,
      bounceInPart: 10,
      refundInPart: 7,
      refundAll: 4,
      resolve: 8,
      payAgain: 8,
    };
    const choice = choose(this.#random, weights);
    if (choice === 'payAgain') return this.#payAgain();
    if (choice === 'nothing') return false;
    if (choice === 'resolve') return this.#askDesk('resolve');
    if (choice === 'refundInPart' || choice === 'refundAll') return this.#refundInDashboard(choice === 'refundAll');
    return this.#returnPayout(choice === 'bounce' ? undefined : '12.34');
  }

  /** The sender reports that not all arrived, and two admins decide to pay the family again. Returns whether it can be reported now. */
  async #payAgain(): Promise<boolean> {
    const { admin, secondAdmin } = this.#app;
    const { client } = this.#sender;
    const params = { id: this.#id };
    const report = { reason: 'wrong_amount', wants: 'delivery', description: 'No llegó todo.' } as const;
    await allowed(() => client.call(endpoints.reportComplaint, { params, body: report }));
    const { items } = await persistently(() => client.call(endpoints.transferComplaints, { params }));
    const open = items.find(({ state }) => state === 'investigating');
    if (!open) return false;
    const result = { finding: 'error', remedy: 'pay_again', payout: '12.34', explanation: 'Prueba' } as const;
    await allowed(() => admin.call(endpoints.concludeComplaint, { params: { id: open.id }, body: result }));
    const of = { params: { id: open.id } };
    const { complaint } = await persistently(() => secondAdmin.call(endpoints.adminComplaint, of));
    const approval = { ...of, body: { approve: true, found_at: complaint.found_at ?? undefined } };
    await allowed(() => this.#onceScreened(() => secondAdmin.call(endpoints.approveComplaint, approval)));
    return true;
  }

  async #returnPayout(amount: string | undefined): Promise<boolean> {
    const paid = `select sequence from operation where transfer_id = $1 and kind = 'payout' and status = 'succeeded'
      order by sequence desc limit 1`;
    const [payout] = await persistently(() => this.#watch.query<{ sequence: number }>(paid, [this.#id]));
    if (!payout) return false;
    const externalId = payoutIdOf({ transferId: this.#id, ...payout });
    await allowed(() => this.#app.sandbox.returnPayout(externalId, amount));
    await this.#watch.wait(this.#id, 'its return is taken', ({ returned }) => returned.includes(externalId));
    return true;
  }

  async #refundInDashboard(all: boolean): Promise<boolean> {
    const { paymentIntentId } = this.#opened;
    const body = new URLSearchParams({ payment_intent: paymentIntentId, ...(all ? {} : { amount: '500' }) });
    await allowed(() => this.#askStripe('/v1/refunds', { body, key: `dashboard-${this.#index}-${all}` }));
    return true;
  }

  /** Asks Stripe past the product. @throws SandboxRefused */
  async #askStripe<Answer>(path: string, write?: { body: URLSearchParams; key: string }): Promise<Answer> {
    const authorization = { authorization: 'Bearer sk_test_sandbox' };
    const response = await fetch(
      `${this.#app.stack.sandboxUrl}${path}`,
      write
        ? { method: 'POST', body: write.body, headers: { ...authorization, 'idempotency-key': write.key } }
        : { headers: authorization },
    );
    if (!response.ok) throw new SandboxRefused(path, response.status, await response.text());
    return (await response.json()) as Answer;
  }

  async #takeUpFailed(): Promise<boolean> {
    const weights = { correct: 45, moneyBack: 15, giveUp: 15, retry: 15, nothing: 10 };
    const choice = choose(this.#random, weights);
    if (choice === 'nothing') return false;
    if (choice === 'giveUp') return this.#askDesk('give_up_and_refund');
    if (choice === 'retry') return this.#askDesk('retry');
    if (choice === 'moneyBack') await this.#cancel();
    else {
      const { client, recipientId } = this.#sender;
      await allowed(() => client.call(endpoints.correctAccount, { params: { id: this.#id }, body: { recipientId } }));
    }
    return true;
  }

  /** An admin acts on the oldest open case; a second one agrees where it takes two. Returns whether there was such a case. */
  async #askDesk(action: DeskAction): Promise<boolean> {
    const { admin, secondAdmin } = this.#app;
    const sql = 'select id from desk_case where transfer_id = $1 and resolved_at is null order by opened_at limit 1';
    const [open] = await persistently(() => this.#watch.query<{ id: string }>(sql, [this.#id]));
    if (!open) return false;
    const params = { id: open.id };
    const body = { action, reason: 'Prueba' };
    await allowed(() => admin.call(endpoints.actOnCase, { params, body }));
    const { case: shown } = await persistently(() => admin.call(endpoints.deskCase, { params }));
    const { request } = shown;
    if (request) {
      const approve = this.#random() < 0.8;
      await allowed(() =>
        secondAdmin.call(endpoints.decideDeskRequest, { params: { id: request.id }, body: { approve } }),
      );
    }
    return true;
  }
}
