import type { z } from 'zod';
import type { FailureCode } from '#core/contracts/failures';
import type { accountRoutes } from '#core/contracts/http/account-routes';
import type { adminRoutes } from '#core/contracts/http/admin-routes';
import type { endpoints, FailureView } from '#core/contracts/http/endpoints';
import { type Route, routes } from '#core/contracts/http/routes';
import type { senderRoutes } from '#core/contracts/http/sender-routes';
import type { Cause } from '#core/contracts/live';
import { noteBuild } from './document.ts';
import { failureMessages, failureSentence } from './failure-messages.ts';
import { newUuid } from './uuid.ts';

type Endpoints = typeof endpoints;
/** Name of an endpoint of the api. */
export type EndpointName = keyof Endpoints &
  keyof (typeof routes & typeof senderRoutes & typeof adminRoutes & typeof accountRoutes);

type Input<E, Part extends 'params' | 'query' | 'body'> = E extends { readonly [P in Part]: infer S extends z.ZodType }
  ? undefined extends z.input<S>
    ? { [P in Part]?: z.input<S> }
    : // biome-ignore lint/complexity/noBannedTypes: the empty object type asks "are all fields optional?"
      {} extends z.input<S>
      ? { [P in Part]?: z.input<S> }
      : { [P in Part]: z.input<S> }
  : { [P in Part]?: undefined };

interface RequestOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The request arrives although the page is left. */
  keepalive?: boolean;
}

/** What a call of this endpoint takes, as its contract says, and the usual extras of a request. */
export type CallInput<Name extends EndpointName> = Input<Endpoints[Name], 'params'> &
  Input<Endpoints[Name], 'query'> &
  Input<Endpoints[Name], 'body'> &
  RequestOptions;

/** What a call of this endpoint answers. */
export type CallOutput<Name extends EndpointName> = Endpoints[Name] extends {
  readonly response: infer S extends z.ZodType;
}
  ? z.output<S>
  : undefined;

type Arguments<Name extends EndpointName> =
  // biome-ignore lint/complexity/noBannedTypes: as above
  {} extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** A failure of the api's list, or none of its answers: no connection, or nothing within `answerMsMax`. */
export type CallFailureCode = FailureCode | 'offline' | 'timeout';

/** What the body of a failed call says, or what stands for it when there is none. */
interface FailureBody {
  readonly code: CallFailureCode;
  readonly message: string;
  readonly problems?: FailureView['problems'];
  readonly [more: string]: unknown;
}

/** More than the longest call takes: the one that asks the card provider, which the server gives up on before this. */
const answerMsMax = 30_000;

/** A call that failed: with the api's code and message, or `offline` or `timeout` when no answer came at all. */
export class ApiFailure extends Error {
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  readonly code: CallFailureCode;
  readonly #message: string | undefined;
  /** With `invalid_input`: what is wrong with each field, by its dotted path. */
  readonly problems: NonNullable<FailureView['problems']>;
  /** The whole body, for the failures that carry more (the new `quote` of `rate_changed`). */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: string, view: FailureBody | null) {
    super(`${status}: ${body}`);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = view?.code ?? 'internal';
    this.#message = view?.message;
    this.problems = view?.problems ?? {};
    this.details = { ...view };
  }

  /** For the person, in the language of the page; `message` is the technical "status: body". */
  get userMessage(): string {
    if (this.code === 'offline' || this.code === 'timeout') return failureMessages[this.code];
    return failureSentence(this.code, this.#message ?? failureMessages.internal, this.details);
  }
}

/** Whether the server does not know who is asking: the session is over. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'unauthenticated';
}

/** Whether the server answered that there is no such thing, or none that this person may see. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400);
}

/** The message to show for anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiFailure ? error.userMessage : failureMessages.internal;
}

/** The server's own message about a failed call; `fallback` where it knows no better reason, or says it at the fields. */
export function errorMessageOr(error: unknown, fallback: string): string {
  const known =
    error instanceof ApiFailure &&
    error.code !== 'invalid_input' &&
    (error.code !== 'internal' || 'reference' in error.details);
  return known ? error.userMessage : fallback;
}

/** The path with its parameters filled in and the query appended; empty and undefined query values are left out. */
export function addressOf(path: string, params: object | undefined, query: object | undefined): string {
  const filled = Object.entries(params ?? {}).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}

/**
 * Makes the function that calls the endpoints of a table as their contracts describe them. The answer is taken as the contract's type
 * without being checked again: api and browser come from one build. The function throws an ApiFailure on any answer but success, and
 * when no answer comes in time; the browser's AbortError when `signal` aborts. `perform` is another way to send than `fetch` (uploads.ts).
 */
export const callsOf =
  <Names extends EndpointName>(table: Readonly<Record<Names, Route>>, perform: Perform = send) =>
  async <Name extends Names>(name: Name, ...inputs: Arguments<Name>): Promise<CallOutput<Name>> => {
    const route = table[name];
    // All that is sent, whatever the contract: the union of all contracts would be too large for the type checker.
    const [input] = inputs as unknown as readonly [
      (RequestOptions & { params?: object; query?: object; body?: unknown })?,
    ];
    const address = addressOf(route.path, input?.params, input?.query);
    const { ok, status, body } = await perform(address, route.method, input);
    if (!ok) throw new ApiFailure(status, body, readFailure(body));
    if (status === noContent) return undefined as CallOutput<Name>;
    try {
      return JSON.parse(body) as CallOutput<Name>;
    } catch {
      throw new ApiFailure(status, body, null);
    }
  };

/** Calls what pages need before a sign-in; other endpoints have `senderCall`, `accountCall` and `adminCall` (sender-http.ts and so on). */
export const call = callsOf(routes);

/**
 * Fetches a file of the api; it may take long, as long as some of it comes every `answerMsMax`. @throws ApiFailure as `call` does, also for a
 * file that breaks off.
 */
export async function fetchFile(address: string): Promise<Blob> {
  const silence = new AbortController();
  const wait = () => setTimeout(() => silence.abort(), answerMsMax);
  let timer = wait();
  const parts: BlobPart[] = [];
  try {
    const answer = await fetch(address, {
      credentials: 'include',
      headers: { traceparent: beginTrace() },
      signal: silence.signal,
    });
    if (!answer.ok) {
      const body = await answer.text();
      throw new ApiFailure(answer.status, body, readFailure(body));
    }
    const reader = answer.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      parts.push(read.value);
      clearTimeout(timer);
      timer = wait();
    }
    return new Blob(parts);
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    const code = silence.signal.aborted ? 'timeout' : 'offline';
    throw new ApiFailure(0, String(error), { code, message: failureMessages[code] });
  } finally {
    clearTimeout(timer);
  }
}

/** HTTP status of an answer without a body. */
const noContent = 204;

/** From here on (ms) a page that nobody touches tells the server so: what it asks by itself keeps no session open. */
const unattendedMs = 300_000;
let touchedAt = Date.now();
// Pages are also rendered where there are no events.
for (const name of ['pointerdown', 'keydown', 'wheel'])
  globalThis.addEventListener?.(name, () => (touchedAt = Date.now()), { capture: true, passive: true });

let lastCause: Cause = {};

/** What this page asked for or was told of last: an error that follows is most likely of it. */
export const currentCause = (): Cause => lastCause;

export function noteCause(cause: Cause): void {
  lastCause = cause;
}

/** Begins a trace: the server's spans go on with it, and decide whether it is kept (W3C Trace Context). */
function beginTrace() {
  const traceId = newUuid().replaceAll('-', '');
  lastCause = { traceId };
  return `00-${traceId}-${traceId.slice(16)}-00`;
}

/** Sends a request and reads its whole answer. @throws as a call does, but answers that are failures. */
export type Perform = (
  address: string,
  method: string,
  input?: RequestOptions & { body?: unknown },
) => Promise<{ readonly ok: boolean; readonly status: number; readonly body: string }>;

/** Headers that say how a request is sent, with a trace of its own. */
export const headersOf = (writes: boolean, input?: RequestOptions): Record<string, string> => ({
  traceparent: beginTrace(),
  // Even a POST without data says that it is JSON: other sites' forms cannot send that without asking.
  ...(writes && { 'content-type': 'application/json' }),
  ...(Date.now() - touchedAt > unattendedMs && { 'x-unattended': '1' }),
  ...input?.headers,
});

async function send(...[address, method, input]: Parameters<Perform>): ReturnType<Perform> {
  const writes = method !== 'GET';
  const timeout = AbortSignal.timeout(answerMsMax);
  const headers = headersOf(writes, input);
  const cause = lastCause;
  try {
    const answer = await fetch(address, {
      method,
      credentials: 'include',
      headers,
      ...(writes && method !== 'DELETE' && { body: JSON.stringify(input?.body ?? {}) }),
      ...(input?.keepalive && { keepalive: true }),
      signal: input?.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    });
    noteBuild(answer.headers.get('x-build'));
    lastCause = { ...cause, requestId: answer.headers.get('x-request-id') ?? undefined };
    const body = await answer.text();
    return { ok: answer.ok, status: answer.status, body: body || answer.statusText };
  } catch (error) {
    if (input?.signal?.aborted) throw error;
    const code = timeout.aborted ? 'timeout' : 'offline';
    throw new ApiFailure(0, String(error), { code, message: failureMessages[code] });
  }
}

/** What the api's failure codes look like. Their list would be in every page, and after a deployment an open page would lack the new ones. */
const codeForm = /^[a-z]+(_[a-z]+)*$/;

function readFailure(body: string): FailureView | null {
  try {
    const view = JSON.parse(body) as Partial<FailureView> | null;
    const ours = view !== null && typeof view.message === 'string' && codeForm.test(view.code ?? '');
    return ours ? (view as FailureView) : null;
  } catch {
    return null;
  }
}
