import type { TransferView } from '#core/contracts/http/transfers';
import { ApiFailure, call } from '../../lib/http.ts';
import type { FoundOutcome } from './payment-reducer.ts';

const pollMs = 2000;
const triesMax = 5;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The payment stands otherwise than paid: nothing was held, and the sender may try again. */
export class PaymentNotMade extends Error {
  /** The provider's word, "requires_payment_method". */
  readonly status: string;

  constructor(status: string) {
    super(`payment ${status}`);
    this.name = 'PaymentNotMade';
    this.status = status;
  }
}

/** The card was confirmed, but our server answered neither the status call nor the confirmation. */
export class PaymentUnrecorded extends Error {
  readonly gaveUp: 'status' | 'confirmation';

  constructor(gaveUp: 'status' | 'confirmation', cause: unknown) {
    super(`the payment's ${gaveUp} failed`, { cause });
    this.name = 'PaymentUnrecorded';
    this.gaveUp = gaveUp;
  }
}

/** How polling is ended and, in tests, sped up. */
export interface Polling {
  readonly signal?: AbortSignal;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Tells the server that the card was confirmed; it looks for itself. Should this browser never get here, the provider's
 * webhook does the same. Asks every two seconds for as long as the provider is at it (specification, section 4) or until
 * `signal` ends it, and tries a few times when nobody answers. `onProcessing` is called once, when it takes longer.
 * @throws PaymentNotMade for any other status, PaymentUnrecorded or the signal's reason when it could not be recorded.
 */
export async function recordPayment(
  paymentIntentId: string,
  { onProcessing, signal, wait = pause }: Polling & { onProcessing?: () => void } = {},
): Promise<TransferView> {
  let failed = 0;
  let reported = false;
  for (;;) {
    signal?.throwIfAborted();
    let asking: PaymentUnrecorded['gaveUp'] = 'status';
    try {
      const { status } = await call('paymentStatus', { params: { paymentIntentId } });
      if (status === 'succeeded') {
        asking = 'confirmation';
        const { transaction } = await call('confirmTransaction', { body: { paymentIntentId } });
        return transaction;
      }
      if (status !== 'processing' && status !== 'requires_action') throw new PaymentNotMade(status);
      if (!reported) onProcessing?.();
      reported = true;
    } catch (error) {
      failed += 1;
      if (error instanceof PaymentNotMade) throw error;
      if (!mayPass(error) || failed >= triesMax) throw new PaymentUnrecorded(asking, error);
    }
    await wait(pollMs);
  }
}

/**
 * Asks our server, which asks the provider, what became of a payment whose outcome is unknown. While nobody answers it asks
 * again every two seconds without end: only an answer allows to say whether the sender may pay again. With `final` it also
 * goes on while the card may still be asked.
 * @throws ApiFailure when the server refuses to say, the reason of `signal` when it aborts.
 */
export async function findOutcome(
  paymentIntentId: string,
  { signal, wait = pause, final = false }: Polling & { final?: boolean },
): Promise<FoundOutcome> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      const { status } = await call('paymentStatus', { params: { paymentIntentId }, ...(signal && { signal }) });
      if (status === 'succeeded' || status === 'processing') return 'held';
      if (status === 'canceled') return 'gone';
      if (!final) return 'declined';
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error;
    }
    await wait(pollMs);
  }
}

const mayPass = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);
