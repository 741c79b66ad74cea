/** The part of the sandbox's control plane that tests use. */
export interface Sandbox {
  /** All payment intents, newest first. */
  intents(): Promise<SandboxIntent[]>;
  /** One payment intent with its events. */
  intent(id: string): Promise<SandboxIntent & { events: { id: string; type: string }[] }>;
  payouts(): Promise<{ externalId: string; amount: string; status: string; reference: string | null }[]>;
  /** How webhooks are delivered from now on; omitted fields return to normal. */
  deliver(mode: {
    mode?: 'deliver' | 'drop' | 'hold';
    duplicate?: number;
    simultaneous?: number;
    shuffle?: boolean;
    retryDelaysMs?: number[];
  }): Promise<void>;
  bank(mode: { rejectNext?: number; slowMs?: number }): Promise<void>;
  fault(fault: { kind: string; path?: string; times?: number; status?: number; method?: string }): Promise<void>;
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
  /** All onramp sessions, newest first. */
  onramps(): Promise<{ id: string; status: string; orderId: string | null }[]>;
  /** Sets a session's status, also one that is not reachable from the current one. */
  pushOnramp(sessionId: string, status: string): Promise<void>;
  onrampMode(mode: { eventName?: string; disabled?: boolean }): Promise<void>;
  /** Sends the held webhooks. */
  flush(order: 'created' | 'reverse' | 'random'): Promise<void>;
  events(query?: string): Promise<{ id: string; type: string }[]>;
}

export interface SandboxIntent {
  id: string;
  status: string;
  /** Minor units. */
  amount: number;
  amountReceived: number;
  amountRefunded: number;
  transferId: string | null;
}

/** A client of the control plane of a running sandbox. */
export function controlSandbox(url: string): Sandbox {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`sandbox ${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    intents: async () => (await ask('GET', '/stripe/payment_intents?limit=1000')).data,
    intent: (id) => ask('GET', `/stripe/payment_intents/${id}`),
    payouts: async () => (await ask('GET', '/bank/payouts?limit=1000')).data,
    deliver: (mode) => ask('PUT', '/stripe/delivery_mode', mode),
    bank: (mode) => ask('PUT', '/bank/mode', mode),
    fault: (fault) => ask('POST', '/faults', fault),
    faults: async () => (await ask('GET', '/faults')).data,
    clearFaults: () => ask('DELETE', '/faults'),
    advance: (seconds) => ask('POST', '/clock/advance', { seconds }),
    priceMode: (source, mode) => ask('PUT', '/prices/mode', { source, mode }),
    mails: async (to) => (await ask('GET', `/mail?to=${encodeURIComponent(to)}`)).data,
    expireHold: (id) => ask('POST', `/stripe/payment_intents/${id}/expire_hold`, {}),
    onramps: async () => (await ask('GET', '/stripe/onramp_sessions?limit=1000')).data,
    pushOnramp: (id, status) => ask('POST', `/stripe/onramp_sessions/${id}/status`, { status }),
    onrampMode: (mode) => ask('PUT', '/stripe/onramp_mode', mode),
    flush: (order) => ask('POST', '/stripe/deliveries/flush', { order }),
    events: async (query = '') => (await ask('GET', `/stripe/events?limit=1000${query}`)).data,
  };
}
