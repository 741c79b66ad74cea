/** Records the requests and responses of the Stripe SDK for a check against the SDK's types. */
import type Stripe from 'stripe';
import type { Sample } from './type-check.ts';

interface RecordedCall {
  /** As `paymentIntents.create`. */
  readonly name: string;
  readonly parameters: unknown;
}

/** Types of the parameters of calls. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'paymentIntents.create': 'Stripe.PaymentIntentCreateParams',
  'paymentIntents.retrieve': 'Stripe.PaymentIntentRetrieveParams',
  'paymentIntents.list': 'Stripe.PaymentIntentListParams',
  'paymentIntents.capture': 'Stripe.PaymentIntentCaptureParams',
  'paymentIntents.cancel': 'Stripe.PaymentIntentCancelParams',
  'charges.list': 'Stripe.ChargeListParams',
  'refunds.create': 'Stripe.RefundCreateParams',
  'refunds.list': 'Stripe.RefundListParams',
  'disputes.list': 'Stripe.DisputeListParams',
  'disputes.update': 'Stripe.DisputeUpdateParams',
  'files.create': 'Stripe.FileCreateParams',
  'events.list': 'Stripe.EventListParams',
  'balanceTransactions.list': 'Stripe.BalanceTransactionListParams',
  'radar.earlyFraudWarnings.list': 'Stripe.Radar.EarlyFraudWarningListParams',
};

/** A call's parameters as a sample. @throws for a call whose type is not listed. */
export function parametersSample({ name, parameters }: RecordedCall): Sample {
  const type = PARAMETERS[name];
  if (!type) throw new Error(`The call ${name} is made without a type that is checked`);
  return { type, value: parameters ?? {} };
}

/** An SDK that does what `stripe` does and records its calls and their answers. */
export function recordCalls(stripe: Stripe): { stripe: Stripe; calls: RecordedCall[]; answers: object[] } {
  const calls: RecordedCall[] = [];
  const answers: object[] = [];
  const record = (name: string, given: unknown[], answer: unknown) => {
    // An id comes before the parameters, options after them.
    const parameters = typeof given[0] === 'string' ? given[1] : given[0];
    calls.push({ name, parameters: plain(parameters) });
    if (answer instanceof Promise) answer.then((value) => answers.push(plain(value) as object)).catch(() => {});
  };
  const wrap = (target: object, path: string): object =>
    new Proxy(target, {
      get: (of, key) => {
        const value = Reflect.get(of, key);
        const name = path ? `${path}.${String(key)}` : String(key);
        if (typeof value === 'function' && path) {
          return (...given: unknown[]) => {
            const answer = value.apply(of, given);
            record(name, given, answer);
            return answer;
          };
        }
        const isPart = typeof value === 'object' && value !== null && !String(key).startsWith('_');
        return isPart ? wrap(value, name) : value;
      },
    });
  return { stripe: wrap(stripe, '') as Stripe, calls, answers };
}

/** As JSON without the SDK's additions, and with bytes as text. */
function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  const replace = (key: string, part: unknown) => {
    if (key === 'lastResponse') return undefined;
    // Of a file that is uploaded.
    return key === 'data' && isBytes(part) ? '' : part;
  };
  return JSON.parse(JSON.stringify(value, replace));
}

function isBytes(part: unknown): boolean {
  return (part as { type?: string } | null)?.type === 'Buffer' || part instanceof Uint8Array;
}
