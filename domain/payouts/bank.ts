import { type PayoutAnswer, type PayoutRequest, payoutAnswer } from '#core/contracts/bank';
import type { BankConfiguration } from '#platform/configuration/worker';
import { readBoundedText } from '#platform/http/bounded-body';
import { NonRetryableError } from '#platform/queues/retry';

/** Longest we wait for the bank, in ms. A time-out means "unknown": the same key is sent again and gets the same payout. */
const timeoutMs = 10_000;

/** Largest answer that is read; a payout's is a few hundred bytes. */
const maxAnswerBytes = 64 * 1024;

/** The client of the payout bank. */
export interface Bank {
  /**
   * Tells the bank to pay. Any number of calls with one external id make one payout. @throws NonRetryableError when the bank
   * says that our request is wrong, Error when it cannot be reached or does not tell.
   */
  pay(request: PayoutRequest, idempotencyKey: string): Promise<PayoutAnswer>;
}

/** Speaks the bank's wire over HTTP. */
export function connectBank(env: BankConfiguration): Bank {
  return {
    async pay(request, idempotencyKey) {
      const response = await fetch(`${env.apiUrl}/v1/payouts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${env.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(request),
        // The beneficiary's data is for this bank only: a redirect is an answer like any other that is not 2xx.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return payoutAnswer.parse(JSON.parse(await readBoundedText(response, maxAnswerBytes)));
      await response.body?.cancel();
      const wrong = response.status >= 400 && response.status < 500 && ![408, 409, 425, 429].includes(response.status);
      const message = `the bank answered ${response.status}`;
      throw wrong ? new NonRetryableError(message) : new Error(message);
    },
  };
}
