import type { AccountMode } from '../stripe/account-mode.ts';
import type { Decision } from '../stripe/dispute-object.ts';
import type { PendingReason } from '../stripe/refund-outcomes.ts';

/** The control routes of the sandbox that tests use. */
export interface Sandbox {
  /** All payment intents, newest first. */
  intents(): Promise<SandboxIntent[]>;
  /** One payment intent with its events. */
  intent(id: string): Promise<SandboxIntent & { events: { id: string; type: string }[] }>;
  payouts(): Promise<SandboxPayout[]>;
  /** A payment of the bank comes back: all that is left of it unless an amount is given. */
  returnPayout(externalId: string, amount?: string): Promise<void>;
  /** All disputes, newest first. */
  disputes(): Promise<SandboxDispute[]>;
  /** A dispute of a charged payment is opened; returns it. */
  openDispute(
    paymentIntentId: string,
    options?: { inquiry?: boolean; prevented?: 'resolution' | 'block'; reason?: string; amount?: number },
  ): Promise<SandboxDispute>;
  decideDispute(id: string, decision: Decision): Promise<void>;
  /** Whether nothing of it is due and no webhook is in flight. */
  idle(): Promise<boolean>;
  /** How webhooks are delivered from now on; omitted fields return to normal. */
  deliver(mode: {
    mode?: 'deliver' | 'drop' | 'hold';
    duplicate?: number;
    simultaneous?: number;
    shuffle?: boolean;
    delayMs?: number;
    retryDelaysMs?: number[];
  }): Promise<void>;
  bank(mode: {
    rejectNext?: number;
    rejection?: { code: string; message: string };
    pendNext?: number;
    pendForMs?: number | null;
    slowMs?: number;
    closedOn?: readonly string[];
    names?: 'holder' | 'match' | 'close_match' | 'no_match' | 'not_supported';
  }): Promise<void>;
  fault(fault: {
    kind: string;
    path?: string;
    times?: number;
    status?: number;
    method?: string;
    page?: boolean;
    delayMs?: number;
  }): Promise<void>;
  /** Faults that were not injected yet. */
  faults(): Promise<unknown[]>;
  clearFaults(): Promise<void>;
  /** Advances its clock. */
  advance(seconds: number): Promise<void>;
  /** How a price site or rate source answers from now on. */
  priceMode(source: string, mode: 'normal' | 'changed_shape' | 'absurd_value' | 'wrong_value'): Promise<void>;
  /** E-mails to this address, newest first. */
  mails(to: string): Promise<{ subject: string; text: string }[]>;
  expireHold(paymentIntentId: string): Promise<void>;
  /** Refunds of a payment stay pending from now on; or no longer, and those that are pending succeed. */
  keepRefundsPending(paymentIntentId: string, pending: boolean, reason?: PendingReason): Promise<void>;
  /** A refund fails, pending or succeeded. */
  failRefund(refundId: string, reason?: string): Promise<void>;
  /** Configures Stripe's account; omitted fields stay. */
  stripeAccount(change: Partial<AccountMode>): Promise<void>;
  /** Sends the held webhooks, or those in other states: the oldest 10,000, whose ids it returns. */
  flush(
    order: 'created' | 'reverse' | 'random',
    states?: ('held' | 'dropped' | 'failed')[],
  ): Promise<{ deliveries: string[] }>;
  events(query?: string): Promise<{ id: string; type: string; paymentIntent: string | null }[]>;
}

export interface SandboxDispute {
  id: string;
  payment_intent: string;
  /** Minor units. */
  amount: number;
  status: string;
}

export interface SandboxPayout {
  externalId: string;
  amount: string;
  status: string;
  reference: string | null;
  /** What of it came back later. */
  returnedAmount: string;
}

export interface SandboxIntent {
  id: string;
  status: string;
  /** Minor units. */
  amount: number;
  amountReceived: number;
  amountRefunded: number;
  transferId: string | null;
  /** Newest first; `operationId` for refunds requested by the product. */
  refunds: { id: string; amount: number; status: string; operationId: string | null }[];
}

/** The sandbox's error response to a control request. */
export class SandboxRefused extends Error {
  readonly status: number;

  constructor(request: string, status: number, answer: string) {
    super(`sandbox ${request}: ${status} ${answer}`);
    this.status = status;
  }
}

/** One request to the sandbox's JSON routes. @throws SandboxRefused when the response is not 2xx. */
export async function requestJson<T = Record<string, unknown>>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new SandboxRefused(`${method} ${path}`, response.status, await response.text());
  return (await response.json()) as T;
}

/** A client of the control routes of a running sandbox. */
export function controlSandbox(url: string): Sandbox {
  // biome-ignore lint/suspicious/noExplicitAny: the interface above has the types of the responses.
  const request = (method: string, path: string, body?: unknown): Promise<any> =>
    requestJson(url, method, `/sandbox${path}`, body);
  return {
    intents: async () => (await request('GET', '/stripe/payment_intents?limit=100000')).data,
    intent: (id) => request('GET', `/stripe/payment_intents/${id}`),
    payouts: async () => (await request('GET', '/bank/payouts?limit=100000')).data,
    returnPayout: (externalId, amount) => request('POST', `/bank/payouts/${externalId}/return`, { amount }),
    disputes: async () => (await request('GET', '/stripe/disputes?limit=100000')).data,
    openDispute: (id, options = {}) => request('POST', `/stripe/payment_intents/${id}/dispute`, options),
    decideDispute: (id, decision) => request('POST', `/stripe/disputes/${id}/decide`, { decision }),
    idle: async () => (await request('GET', '/idle?timeoutMs=0')).idle,
    deliver: (mode) => request('PUT', '/stripe/delivery_mode', mode),
    bank: (mode) => request('PUT', '/bank/mode', mode),
    fault: (fault) => request('POST', '/faults', fault),
    faults: async () => (await request('GET', '/faults')).data,
    clearFaults: () => request('DELETE', '/faults'),
    advance: (seconds) => request('POST', '/clock/advance', { seconds }),
    priceMode: (source, mode) => request('PUT', '/prices/mode', { source, mode }),
    mails: async (to) => (await request('GET', `/mail?to=${encodeURIComponent(to)}`)).data,
    expireHold: (id) => request('POST', `/stripe/payment_intents/${id}/expire_hold`, {}),
    keepRefundsPending: (id, pending, reason) =>
      request('PUT', `/stripe/payment_intents/${id}/refunds`, { pending, reason }),
    failRefund: (id, reason) => request('POST', `/stripe/refunds/${id}/fail`, { reason }),
    stripeAccount: (change) => request('PUT', '/stripe/account', change),
    flush: (order, states) =>
      request('POST', '/stripe/deliveries/flush', { order, ...(states ? { states, gapMs: 5 } : {}) }),
    events: async (query = '') => (await request('GET', `/stripe/events?limit=100000${query}`)).data,
  };
}
