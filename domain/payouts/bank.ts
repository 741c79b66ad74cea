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
import { type Answer, type Call, send } from '#platform/http/send';
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
  const call = (path: string, maxBytes: number, { method = 'GET', headers, body }: Partial<Call> = {}) => {
    const name = path.replace(/[/?].*/, (rest) => (rest[0] === '/' ? '/{id}' : ''));
    // The beneficiary's data is for this bank only: a redirect is an answer like any other that is not 2xx.
    const asked = { method, timeoutMs, maxBytes, ...(body !== undefined && { body }) };
    return providerCall(
      { provider: 'bank', call: `${method} /v1/${name}` },
      () =>
        send(`${env.apiUrl}/v1/${path}`, { ...asked, headers: { authorization: `Bearer ${env.apiKey}`, ...headers } }),
      ({ status }) => status,
    );
  };
  const post = <Result>(path: string, body: object, idempotencyKey: string, shape: z.ZodType<Result>) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    return answered(async () => read(await call(path, maxAnswerBytes, asked), shape));
  };
  return {
    pay: (request, idempotencyKey) => post('payouts', request, idempotencyKey, payoutAnswer),
    askName: (inquiry, idempotencyKey) => post('name-inquiries', inquiry, idempotencyKey, nameInquiryAnswer),
    find(externalId) {
      return answered(async () => {
        const answer = await call(`payouts/${encodeURIComponent(externalId)}`, maxAnswerBytes);
        if (answer.status !== 404) return read(answer, payoutAnswer);
        // A 404 of something before the bank, such as a proxy, is not the bank's word.
        const { code } = JSON.parse(answer.text) as { code?: unknown };
        if (code !== 'payout_not_found') throw new Error('the bank answered 404 without saying what is not found');
        return null;
      });
    },
    returns(after) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      return answered(async () => read(await call(`returns${query}`, maxPageBytes), payoutReturnPage));
    },
    statement(day, format) {
      return answered(async () => {
        const { status, text } = await call(`statements/${day}?format=${format}`, maxStatementBytes);
        if (isOk(status)) return text;
        const { code } = JSON.parse(text) as { code?: unknown };
        if (status === 404 && code === 'statement_not_found') return null;
        throw new Error(`the bank answered ${status} about a statement`);
      });
    },
  };
}

/** Whatever goes wrong on the way to an answer that can be read is the bank's silence, unless it calls our request wrong. */
async function answered<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof NonRetryableError) throw error;
    throw new BankUnavailableError((error as Error).message, { cause: error });
  }
}

function read<Result>({ status, text }: Answer, shape: z.ZodType<Result>): Result {
  if (isOk(status)) return shape.parse(JSON.parse(text));
  const wrong = status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
  const message = `the bank answered ${status}`;
  throw wrong ? new NonRetryableError(message) : new Error(message);
}

const isOk = (status: number) => status >= 200 && status < 300;
