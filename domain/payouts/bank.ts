import type { z } from 'zod';
import {
  type NameInquiry,
  type NameInquiryAnswer,
  nameInquiryAnswer,
  type PayoutAnswer,
  type PayoutRequest,
  type PayoutReturnPage,
  payoutAnswer,
  payoutReturnPage,
} from '#core/contracts/bank';
import type { BankConfiguration } from '#platform/configuration/worker';
import { readBoundedText } from '#platform/http/bounded-body';
import { withinTime } from '#platform/http/time-limit';
import { NonRetryableError } from '#platform/queues/retry';
import { providerCall } from '#platform/telemetry/provider-call';

/** Longest we wait for the bank, in ms. A time-out means "unknown": the same key is sent again and gets the same payout. */
const timeoutMs = 10_000;

/** Largest answer about one payout that is read; it is a few hundred bytes. */
const maxAnswerBytes = 64 * 1024;

/** Largest statement that is read. */
const maxStatementBytes = 64 * 1024 * 1024;

/** Largest page of returns that is read; a page has at most a hundred of them. */
const maxPageBytes = 512 * 1024;

/** The bank cannot be reached or does not tell: what became of a call is not known. */
export class BankUnavailableError extends Error {
  override readonly name = 'BankUnavailableError';
}

/**
 * The client of the payout bank. Its calls throw NonRetryableError when the bank says that our request is wrong,
 * BankUnavailableError when it cannot be reached or does not tell.
 */
export interface Bank {
  /** Tells the bank to pay. Any number of calls with one external id make one payout. */
  pay(request: PayoutRequest, idempotencyKey: string): Promise<PayoutAnswer>;
  /** What the bank knows of a payout; null: it has never heard of it, so nothing was paid. */
  find(externalId: string): Promise<PayoutAnswer | null>;
  /** Payments that came back, oldest first, after the return with this id; from the first one when it is null. */
  returns(after: string | null): Promise<PayoutReturnPage>;
  /** Asks whose an account is. Any number of questions with one key are one. */
  askName(inquiry: NameInquiry, idempotencyKey: string): Promise<NameInquiryAnswer>;
  /** The statement of our account for a day that has ended, as a file; null: there is none, or not yet. */
  statement(day: string, format: 'camt053' | 'csv'): Promise<string | null>;
}

/** Speaks the bank's wire over HTTP. */
export function connectBank(env: BankConfiguration): Bank {
  const call = (path: string, init: RequestInit & Pick<Required<RequestInit>, 'signal'>) =>
    providerCall(
      {
        provider: 'bank',
        call: `${init.method ?? 'GET'} /v1/${path.replace(/[/?].*/, (rest) => (rest[0] === '/' ? '/{id}' : ''))}`,
      },
      () =>
        fetch(`${env.apiUrl}/v1/${path}`, {
          ...init,
          headers: { authorization: `Bearer ${env.apiKey}`, ...init.headers },
          // The beneficiary's data is for this bank only: a redirect is an answer like any other that is not 2xx.
          redirect: 'manual',
        }),
      ({ status }) => status,
    );
  const post = <Answer>(path: string, body: object, idempotencyKey: string, shape: z.ZodType<Answer>) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    return answered(async (signal) =>
      read(await call(path, { method: 'POST', headers, body: JSON.stringify(body), signal }), shape, maxAnswerBytes),
    );
  };
  return {
    pay: (request, idempotencyKey) => post('payouts', request, idempotencyKey, payoutAnswer),
    askName: (inquiry, idempotencyKey) => post('name-inquiries', inquiry, idempotencyKey, nameInquiryAnswer),
    find(externalId) {
      return answered(async (signal) => {
        const response = await call(`payouts/${encodeURIComponent(externalId)}`, { signal });
        if (response.status !== 404) return read(response, payoutAnswer, maxAnswerBytes);
        // A 404 of something before the bank, such as a proxy, is not the bank's word.
        const { code } = JSON.parse(await readBoundedText(response, maxAnswerBytes)) as { code?: unknown };
        if (code !== 'payout_not_found') throw new Error('the bank answered 404 without saying what is not found');
        return null;
      });
    },
    returns(after) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      return answered(async (signal) =>
        read(await call(`returns${query}`, { signal }), payoutReturnPage, maxPageBytes),
      );
    },
    statement(day, format) {
      return answered(async (signal) => {
        const response = await call(`statements/${day}?format=${format}`, { signal });
        if (response.ok) return readBoundedText(response, maxStatementBytes);
        const { code } = JSON.parse(await readBoundedText(response, maxAnswerBytes)) as { code?: unknown };
        if (response.status === 404 && code === 'statement_not_found') return null;
        throw new Error(`the bank answered ${response.status} about a statement`);
      });
    },
  };
}

/** Whatever goes wrong on the way to an answer that can be read is the bank's silence, unless it calls our request wrong. */
async function answered<Answer>(call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await withinTime(timeoutMs, call);
  } catch (error) {
    if (error instanceof NonRetryableError) throw error;
    throw new BankUnavailableError((error as Error).message, { cause: error });
  }
}

async function read<Answer>(response: Response, shape: z.ZodType<Answer>, maxBytes: number): Promise<Answer> {
  if (response.ok) return shape.parse(JSON.parse(await readBoundedText(response, maxBytes)));
  await response.body?.cancel();
  const wrong = response.status >= 400 && response.status < 500 && ![408, 409, 425, 429].includes(response.status);
  const message = `the bank answered ${response.status}`;
  throw wrong ? new NonRetryableError(message) : new Error(message);
}
