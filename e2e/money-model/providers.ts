import type { Given, ProviderAnswer, ProviderCall } from './provider-proxy.ts';

/** The worker's calls by their names in faults. */
const targets = {
  order: { method: 'POST', path: /^\/bank\/v1\/payouts$/ },
  lookup: { method: 'GET', path: /^\/bank\/v1\/payouts\/./ },
  returns: { method: 'GET', path: /^\/bank\/v1\/returns/ },
  capture: { method: 'POST', path: /\/capture$/ },
  void: { method: 'POST', path: /^\/v1\/payment_intents\/[^/]+\/cancel$/ },
  refund: { method: 'POST', path: /^\/v1\/refunds$/ },
  events: { method: 'GET', path: /^\/v1\/events/ },
  read: { method: 'GET', path: /^\/v1\// },
} as const;
export type Target = keyof typeof targets;

/** What happens to a call instead of a plain answer, and whether the provider executes it first. */
export type Fault =
  /** An answer of something in front of the provider. */
  | { readonly answer: number; readonly executed: boolean }
  /** No answer at all; to the worker a time-out is the same. */
  | { readonly answer: 'cut'; readonly executed: boolean }
  /** 200, and nothing that can be read. */
  | { readonly answer: 'garbage'; readonly executed: boolean }
  /** The worker dies before it can write anything down. */
  | { readonly answer: 'crash'; readonly executed: boolean }
  /** The bank rejects the order for good, with this code. Orders only. */
  | { readonly answer: 'rejected'; readonly code: string }
  /** A page of returns that begins with one that cannot be read. Returns only. */
  | { readonly answer: 'poisoned' }
  /** The bank says that it has the order, and executes it so much later. Orders only. */
  | { readonly answer: 'pending'; readonly minutes: number }
  /** The worker hangs up; the bank says that it knows no such order, and executes it so much later. Orders only. */
  | { readonly answer: 'late'; readonly minutes: number };

/** An order to pay, by its external id, as the bank and an observer between worker and bank know it. */
export interface Order {
  readonly externalId: string;
  readonly centavos: bigint;
  lastSentAt: number;
  /** Whether the bank paid it. */
  paid: boolean;
  /** When the order was sent that the bank paid, or the first one; orders moments together with the other facts. */
  tick: number;
  /** Holds that were known to the product when it sent the order that the bank paid. */
  heldBy: readonly string[];
  /** Whether the worker got a certain answer to its last attempt. Until then the order counts as paid. */
  certain: boolean;
}

/** A requested refund, by its idempotency key. */
export interface RefundCall {
  readonly key: string;
  readonly transferId: string;
  readonly minor: bigint;
  executed: boolean;
  certain: boolean;
}

interface Deferred {
  readonly answer: 'pending' | 'late';
  readonly dueAt: number;
  readonly execute: () => Promise<unknown>;
}

interface Hooks {
  now(): number;
  tick(): number;
  /** Holds of a transfer that the product knows of. */
  holdsOf(transferId: string): string[];
  /** Has the bank reject the next order. */
  reject(code: string): Promise<void>;
  /** Cuts the worker off from everything. */
  crash(): Promise<void>;
}

/** After this time (ms) the bank has executed an accepted order, or never will. */
export const completionMs = 10 * 60_000;

const minuteMs = 60_000;

/** Proxy between the worker and the simulated providers: injects every kind of failure, and records which effects are certain. */
export class Providers {
  readonly orders = new Map<string, Order>();
  readonly refunds = new Map<string, RefundCall>();
  /** Ids that identify calls about the observed transfer: only those fail. */
  about: readonly string[] = [];
  /** Whether any call failed since this was last unset. */
  failed = false;
  readonly #hooks: Hooks;
  readonly #faults = new Map<Target, { fault: Fault; left: number }>();
  readonly #deferred = new Map<string, Deferred>();

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** The next `times` calls fail like this; a later fault of the same target replaces it. */
  fail(target: Target, fault: Fault, times: number): void {
    this.#faults.set(target, { fault, left: times });
  }

  heal(): void {
    this.#faults.clear();
  }

  /** When the first order is executed that the bank put off, in ms since the epoch; null: none waits. */
  get nextDueAt(): number | null {
    const due = [...this.#deferred.values()].map(({ dueAt }) => dueAt);
    return due.length > 0 ? Math.min(...due) : null;
  }

  /** The bank executes its delayed orders that are due. */
  async completeDue(): Promise<void> {
    for (const [id, { dueAt, execute }] of this.#deferred) {
      if (dueAt > this.#hooks.now()) continue;
      this.#deferred.delete(id);
      await execute();
    }
  }

  async conduct(call: ProviderCall, forward: () => Promise<ProviderAnswer>): Promise<Given> {
    const target = targetOf(call);
    const fault = target && this.#isAbout(call) ? this.#take(target) : undefined;
    if (target === 'order') return this.#order(call, forward, fault ?? null);
    const externalId = target === 'lookup' ? decodeURIComponent(call.path.split('/').at(-1) ?? '') : '';
    const deferred = this.#deferred.get(externalId);
    if (deferred?.answer === 'pending' && !fault) return pendingAnswer(externalId, this.orders.get(externalId));
    const given = await this.#give(fault ?? null, target === 'refund' ? () => this.#refund(call, forward) : forward);
    if (target === 'lookup') this.#noteLookup(externalId, given, fault !== undefined);
    if (target === 'refund') this.#noteRefund(call, given, fault !== undefined);
    return given;
  }

  #isAbout({ path, body }: ProviderCall): boolean {
    const isAboutAll = path.startsWith('/v1/events') || path.startsWith('/bank/v1/returns');
    return isAboutAll || this.about.some((id) => path.includes(id) || body.includes(id));
  }

  #take(target: Target): Fault | undefined {
    const planned = this.#faults.get(target);
    if (!planned || planned.left === 0) return undefined;
    planned.left -= 1;
    this.failed = true;
    return planned.fault;
  }

  async #give(fault: Fault | null, forward: () => Promise<ProviderAnswer>): Promise<Given> {
    if (!fault) return forward();
    if ('executed' in fault && fault.executed) await forward();
    if (fault.answer === 'crash') await this.#hooks.crash();
    if (fault.answer === 'poisoned') return poisoned(await forward());
    if (typeof fault.answer === 'number') return plain(fault.answer, '<html>No.</html>');
    return fault.answer === 'garbage' ? plain(200, '<html>Mantenimiento</html>') : 'cut';
  }

  async #order(call: ProviderCall, send: () => Promise<ProviderAnswer>, fault: Fault | null): Promise<Given> {
    const { externalId, amount } = JSON.parse(call.body.toString()) as { externalId: string; amount: string };
    const known = this.orders.get(externalId);
    const order: Order = known ?? {
      ...{ externalId, centavos: BigInt(amount.replace('.', '')), lastSentAt: 0, paid: false },
      ...{ tick: this.#hooks.tick(), heldBy: [], certain: false },
    };
    this.orders.set(externalId, order);
    order.lastSentAt = this.#hooks.now();
    order.certain = false;
    // The product's knowledge when it sent the order, however late the bank executes it.
    const sent = { tick: this.#hooks.tick(), heldBy: this.#hooks.holdsOf(externalId.slice(0, 36)) };
    const forward = async () => {
      const answer = await send();
      if (!order.paid && statusIn(answer) === 'paid') Object.assign(order, { paid: true, ...sent });
      return answer;
    };
    const deferred = this.#deferred.get(externalId);
    const isKeptFromBank = fault !== null && 'executed' in fault && !fault.executed;
    if (deferred && !isKeptFromBank)
      return deferred.answer === 'pending' ? pendingAnswer(externalId, order) : plain(409, '{"code":"in_progress"}');
    if (fault?.answer === 'pending' || fault?.answer === 'late') {
      const dueAt = this.#hooks.now() + fault.minutes * minuteMs;
      this.#deferred.set(externalId, { answer: fault.answer, dueAt, execute: forward });
      return fault.answer === 'pending' ? pendingAnswer(externalId, order) : 'cut';
    }
    if (fault?.answer === 'rejected') await this.#hooks.reject(fault.code);
    const given = await this.#give(fault?.answer === 'rejected' ? null : fault, forward);
    order.certain = ['paid', 'rejected'].includes(statusIn(given) ?? '');
    return given;
  }

  #noteLookup(externalId: string, given: Given, faulty: boolean): void {
    const order = this.orders.get(externalId);
    if (!order || faulty || given === 'cut') return;
    const isFinal = this.#hooks.now() >= order.lastSentAt + completionMs;
    const notFound = given.status === 404 && given.body.includes('payout_not_found');
    if (notFound ? isFinal : ['paid', 'rejected'].includes(statusIn(given) ?? '')) order.certain = true;
  }

  async #refund(call: ProviderCall, forward: () => Promise<ProviderAnswer>): Promise<ProviderAnswer> {
    const answer = await forward();
    this.#refundOf(call).executed = answer.status < 300;
    return answer;
  }

  #noteRefund(call: ProviderCall, given: Given, faulty: boolean): void {
    const refund = this.#refundOf(call);
    refund.certain = !faulty && given !== 'cut' && given.status < 500 && given.status !== 409 && given.status !== 429;
  }

  #refundOf(call: ProviderCall): RefundCall {
    const key = String(call.headers['idempotency-key']);
    const form = new URLSearchParams(call.body.toString());
    const refund = this.refunds.get(key) ?? {
      ...{ key, transferId: form.get('metadata[transfer_id]') ?? '', minor: BigInt(form.get('amount') ?? 0) },
      ...{ executed: false, certain: false },
    };
    this.refunds.set(key, refund);
    return refund;
  }
}

function targetOf({ method, path }: ProviderCall): Target | undefined {
  return (Object.keys(targets) as Target[]).find((name) => {
    const target = targets[name];
    return target.method === method && target.path.test(path);
  });
}

/** Stops Stripe's SDK from retrying, which would take seconds. */
function plain(status: number, body: string): ProviderAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html', 'stripe-should-retry': 'false' },
    body: Buffer.from(body),
  };
}

function pendingAnswer(externalId: string, order: Order | undefined): ProviderAnswer {
  const cents = String(order?.centavos ?? 0n).padStart(3, '0');
  const body = {
    ...{ id: `bp_${externalId}`, externalId, status: 'pending', reference: null, rejection: null },
    ...{ amount: `${cents.slice(0, -2)}.${cents.slice(-2)}`, returnedAmount: '0.00', currency: 'BOB' },
    createdAt: new Date().toISOString(),
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

/** The page with an invalid return of zero in front. */
function poisoned(page: ProviderAnswer): ProviderAnswer {
  const { data, ...rest } = JSON.parse(page.body.toString()) as { data: Record<string, unknown>[] };
  const [real] = data;
  const wrong = real && { ...real, id: `${real.id}_nothing`, amount: '0.00' };
  return { ...page, body: Buffer.from(JSON.stringify({ data: wrong ? [wrong, ...data] : data, ...rest })) };
}

/** The status of a payout in an answer of the bank, where it can be read. */
function statusIn(given: Given): string | null {
  if (given === 'cut' || given.status >= 300) return null;
  try {
    return (JSON.parse(given.body.toString()) as { status?: string }).status ?? null;
  } catch {
    return null;
  }
}
