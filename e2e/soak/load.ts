import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskAction } from '#core/operations/desk-action';
import type { TransferState } from '#core/transfers/states';
import { disputedError } from '#domain/disputes/dispute.repository';
import { seededRandom } from '../../infra/testing/soak.ts';
import { requestJson } from '../../sandbox/testing/control-client.ts';
import { type ApiClient, CallFailed, openPayment, payWithCard, sampleRecipient, signUp } from '../api-client.ts';
import { query } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';

/** Payments of one sender: the api lets nobody open more than 60 in an hour. */
const paymentsOfSender = 40;
/** Payments in progress at the same time. */
const width = 8;
/** How often one transfer is taken up again by its sender, the desk or the bank, before it is left as it is. */
const mostRounds = 3;
/** Longest wait for a step of one transfer, in ms. */
const stepMs = 240_000;

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  threeDSecure: '4000000000003220',
  pendingRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  disputed: '4000000000000259',
} as const;

type Random = () => number;
type Weights<Choice extends string> = Readonly<Record<Choice, number>>;

/** One of several choices, each as often as its weight says. */
function choose<Choice extends string>(random: Random, weights: Weights<Choice>): Choice {
  const choices = Object.entries<number>(weights) as [Choice, number][];
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices.at(-1) as [Choice, number])[0];
}

/** How far the load is. */
export interface Progress {
  /** Payments whose story is told to its end. */
  done: number;
  /** Until all are. */
  paying: boolean;
}

type Payment = Awaited<ReturnType<typeof openPayment>>;

interface Sender {
  readonly client: ApiClient;
  readonly recipientId: string;
}

/** Makes `count` payments, each with a random story, while `disturb` runs beside them; it has to end when they are done. */
export async function payRandomly(
  app: TestApp,
  count: number,
  disturb: (progress: Progress) => Promise<void>,
): Promise<void> {
  const senders = new Map<number, Promise<Sender>>();
  const senderOf = (index: number): Promise<Sender> => {
    const number = index % Math.ceil(count / paymentsOfSender);
    const known = senders.get(number) ?? newSender(app);
    senders.set(number, known);
    return known;
  };
  const progress: Progress = { done: 0, paying: true };
  const disturbing = disturb(progress);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      await new Story(app, await senderOf(index), index).tell();
      progress.done += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: width }, lane));
  } finally {
    progress.paying = false;
    await disturbing;
  }
}

async function newSender(app: TestApp): Promise<Sender> {
  const client = await persistently(() => signUp(app.url));
  const { id } = await persistently(() => client.call(endpoints.createRecipient, { body: sampleRecipient }));
  return { client, recipientId: id };
}

/** One payment from its opening to wherever its random choices lead it. */
class Story {
  readonly #app: TestApp;
  readonly #sender: Sender;
  readonly #index: number;
  readonly #random: Random;
  #payment: Payment | undefined;

  constructor(app: TestApp, sender: Sender, index: number) {
    this.#app = app;
    this.#sender = sender;
    this.#index = index;
    this.#random = seededRandom(`payment-${index}`);
  }

  async tell(): Promise<void> {
    const { client, recipientId } = this.#sender;
    const currency = choose(this.#random, { eur: 3, usd: 1 });
    const amount = choose(this.#random, { '20.00': 3, '37.53': 2, '60.00': 1 });
    const key = `payment-${this.#index}`;
    this.#payment = await persistently(() => openPayment(client, { amount, currency, recipientId, key }));
    if (this.#random() < 0.04) return this.#cancel();
    if (!(await this.#pay())) return this.#cancel();
    await this.#waitFor('it is in review', ({ state }) => state !== 'awaiting_payment');
    await this.#decide();
    let now = await this.#rest();
    for (let round = 0; round < mostRounds && (await this.#goOn(now)); round += 1) now = await this.#rest();
  }

  get #id(): string {
    return (this.#payment as Payment).transferId;
  }

  /** Pays at Stripe as a browser does. Returns whether the card holds the amount in the end. */
  async #pay(): Promise<boolean> {
    const payment = this.#payment as Payment;
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
      const { body } = await persistently(() => payWithCard(this.#app.stack.sandboxUrl, payment, cards[card]));
      if (await this.#isHeld(body.status)) return true;
      if (this.#random() < 0.4) return false;
      card = 'good';
    }
  }

  async #isHeld(status: string | undefined): Promise<boolean> {
    const payment = this.#payment as Payment;
    if (status !== 'requires_action') {
      const intent = await persistently(() => this.#app.sandbox.intent(payment.paymentIntentId));
      return intent.status === 'requires_capture';
    }
    const outcome = choose(this.#random, { complete: 3, fail: 1 });
    const path = `/sandbox/stripe/payment_intents/${payment.paymentIntentId}/challenge`;
    await requestJson(this.#app.stack.sandboxUrl, 'POST', path, { outcome }).catch(() => {});
    return this.#isHeld(undefined);
  }

  async #decide(): Promise<void> {
    const params = { id: this.#id };
    const choice = choose(this.#random, { approve: 84, reject: 8, cancel: 4, cancelWhileApproved: 8 });
    if (choice === 'cancel') return this.#cancel();
    if (choice === 'reject') return allowed(() => this.#app.admin.call(endpoints.reject, { params, body: {} }));
    await allowed(() => this.#app.admin.call(endpoints.approve, { params }));
    if (choice === 'cancelWhileApproved') await this.#cancel();
  }

  #cancel(): Promise<void> {
    return allowed(() => this.#sender.client.call(endpoints.cancelTransfer, { params: { id: this.#id } }));
  }

  /** Waits until nothing of it is under way. */
  async #rest(): Promise<TransferState> {
    const { state } = await this.#waitFor('nothing of it is under way', ({ open, state }) => {
      return open === 0 && !['awaiting_payment', 'in_review', 'approved'].includes(state);
    });
    return state;
  }

  /** Lets somebody do something about a transfer that stands still. Returns whether anybody did. */
  async #goOn(state: TransferState): Promise<boolean> {
    switch (state) {
      case 'completed':
        return this.#disturbCompleted();
      case 'payout_failed':
        return this.#takeUpFailed();
      case 'captured':
      case 'refunding':
        return this.#askDesk(choose(this.#random, { retry: 5, give_up_and_refund: 3, resolve: 2 }));
      case 'refunded':
        return false;
      default:
        return false;
    }
  }

  /** The bank returns it, or somebody returns money in Stripe's dashboard. */
  async #disturbCompleted(): Promise<boolean> {
    const weights = { nothing: 60, bounce: 16, bounceInPart: 10, refundInPart: 7, refundAll: 4, resolve: 8 };
    const choice = choose(this.#random, weights);
    if (choice === 'nothing') return false;
    if (choice === 'resolve') return this.#askDesk('resolve');
    if (choice === 'refundInPart' || choice === 'refundAll') return this.#refundInDashboard(choice === 'refundAll');
    const payouts = (await persistently(() => this.#app.sandbox.payouts())).filter((one) =>
      one.externalId.startsWith(this.#id),
    );
    const paid = payouts.find(({ status }) => status === 'paid');
    if (!paid) return false;
    const { externalId } = paid;
    await allowed(() => this.#app.sandbox.returnPayout(externalId, choice === 'bounce' ? undefined : '12.34'));
    await until(
      `the return of ${externalId} is taken`,
      async () => {
        const sql = 'select 1 from bank_return where external_id = $1';
        return (await query(this.#app.databaseUrl, sql, [externalId])).length > 0;
      },
      stepMs,
    );
    return true;
  }

  /** Cards whose refunds come later or fail are left out: what the desk shows of them depends on when Stripe is asked. */
  async #refundInDashboard(all: boolean): Promise<boolean> {
    const { paymentIntentId } = this.#payment as Payment;
    const body = new URLSearchParams({ payment_intent: paymentIntentId, ...(all ? {} : { amount: '500' }) });
    await until('Stripe answers the dashboard', async () => {
      const response = await fetch(`${this.#app.stack.sandboxUrl}/v1/refunds`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': `dashboard-${this.#index}-${all}` },
        body,
      });
      return response.status < 429;
    });
    return true;
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
    const { admin, secondAdmin, databaseUrl } = this.#app;
    const sql = 'select id from desk_case where transfer_id = $1 and resolved_at is null order by opened_at limit 1';
    const [open] = await persistently(() => query<{ id: string }>(databaseUrl, sql, [this.#id]));
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

  #waitFor(what: string, holds: (now: { state: TransferState; open: number }) => boolean) {
    const sql = `select state, (select count(*)::int from operation as o where o.transfer_id = t.id and o.kind <> 'authorization'
      and o.status in ('pending', 'in_flight', 'unknown') and o.last_error is distinct from $2) as open from transfer as t where id = $1`;
    return until(
      `transfer ${this.#id}: ${what}`,
      async () => {
        const [now] = await query<{ state: TransferState; open: number }>(this.#app.databaseUrl, sql, [
          this.#id,
          disputedError,
        ]);
        return now && holds(now) && now;
      },
      stepMs,
    );
  }
}

/** Calls as often as it takes to get an answer. What is refused because others were first, or the world moved on, is no failure. */
async function allowed(act: () => Promise<unknown>): Promise<void> {
  try {
    await persistently(act);
  } catch (error) {
    if (error instanceof CallFailed) expect([409, 422]).toContain(error.status);
    else throw error;
  }
}

/** Repeats a call while its server does not answer, as a user would. @throws what the server refuses. */
async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  let refusal: unknown;
  const answer = await until(
    'the server answers',
    async () => {
      try {
        return { result: await act() };
      } catch (error) {
        const refused = error instanceof CallFailed ? error.status < 500 : / (404|409): /.test(String(error));
        if (!refused) throw error;
        refusal = error;
        return {};
      }
    },
    120_000,
  );
  if ('result' in answer) return answer.result as Result;
  if (!(refusal instanceof CallFailed)) return undefined as Result;
  throw refusal;
}
