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
import { providerCall } from '#platform/telemetry/provider-call';

/**
 * Timeout of calls to the bank, in ms. A timeout means "unknown": the same key is sent again and gets the same payout.
 */
export const bankCallMs = 10_000;

/** Maximum size of an answer about one payout; typically a few hundred bytes. */
const maxAnswerBytes = 64 * 1024;

/** Maximum size of a statement. */
const maxStatementBytes = 64 * 1024 * 1024;

/** Maximum size of a page of returns; a page has at most a hundred. */
const maxPageBytes = 512 * 1024;

/**
 * The bank is unreachable, or the answer is not from its API: whether the call had an effect is unknown, and other
 * calls will fail too.
 */
export class BankUnavailableError extends Error {
  override readonly name = 'BankUnavailableError';
}

/**
 * This one request was rejected. It is unknown by whom, and whether the bank acted on it; other requests may succeed.
 */
export class BankRefusedRequestError extends Error {
  override readonly name = 'BankRefusedRequestError';
}

/** The client of the payout bank. Its calls throw BankUnavailableError and BankRefusedRequestError. */
export interface Bank {
  /** Orders a payout. Any number of calls with one external id make one payout. */
  pay(request: PayoutRequest, idempotencyKey: string): Promise<PayoutAnswer>;
  /** The bank's record of a payout; null: none, which is certain only `completionWindowMs` after the last order. */
  find(externalId: string): Promise<PayoutAnswer | null>;
  /** Returned payments, oldest first, after the return with this id; from the first one when it is null. */
  returns(after: string | null): Promise<PayoutReturnPage>;
  /** Looks up the holder of an account. Idempotent per key. */
  askName(inquiry: NameInquiry, idempotencyKey: string): Promise<NameInquiryAnswer>;
  /** The statement of our account for a past day, as a file; null: none, or not yet available. */
  statement(day: string, format: 'camt053' | 'csv'): Promise<string | null>;
  /** How long after an order the bank may still receive it, in ms. */
  readonly completionWindowMs: number;
}

/** An HTTP client for the bank's API. `waitMs`: timeout of a call. */
export function connectBank(env: BankConfiguration, { waitMs = bankCallMs }: { waitMs?: number } = {}): Bank {
  const answered = <Answer>(call: (signal: AbortSignal) => Promise<Answer>) => heard(waitMs, call);
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
          // The beneficiary's data is for this bank only: redirects are handled as errors.
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
    completionWindowMs: env.completionWindowMs,
    pay: (request, idempotencyKey) => post('payouts', request, idempotencyKey, payoutAnswer),
    askName: (inquiry, idempotencyKey) => post('name-inquiries', inquiry, idempotencyKey, nameInquiryAnswer),
    find(externalId) {
      return answered(async (signal) => {
        const response = await call(`payouts/${encodeURIComponent(externalId)}`, { signal });
        if (response.status !== 404) return read(response, payoutAnswer, maxAnswerBytes);
        // A 404 of an intermediary, such as a proxy, is not the bank's answer.
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

/** Statuses about the single request: malformed, in conflict with an earlier one, too large, not accepted. */
const requestStatuses: ReadonlySet<number> = new Set([400, 409, 413, 422]);

/** Any failure to get a readable answer means that the bank is unavailable, unless it concerns this request alone. */
async function heard<Answer>(waitMs: number, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  try {
    return await withinTime(waitMs, call);
  } catch (error) {
    if (error instanceof BankRefusedRequestError) throw error;
    throw new BankUnavailableError((error as Error).message, { cause: error });
  }
}

async function read<Answer>(response: Response, shape: z.ZodType<Answer>, maxBytes: number): Promise<Answer> {
  if (response.ok) return shape.parse(JSON.parse(await readBoundedText(response, maxBytes)));
  await response.body?.cancel();
  const message = `the bank answered ${response.status}`;
  throw requestStatuses.has(response.status) ? new BankRefusedRequestError(message) : new Error(message);
}
