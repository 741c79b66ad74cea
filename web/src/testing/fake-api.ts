import { FetchInterceptor } from '@mswjs/interceptors/fetch';
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import type { FailureCode } from '#core/contracts/failures';
import { accountRoutes } from '#core/contracts/http/account-routes';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { BareFailureCode, FailureDetails } from '#core/contracts/http/failure-details';
import { routes } from '#core/contracts/http/routes';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import type { CallOutput, EndpointName } from '../lib/http.ts';

/** A call as the component made it. */
export interface ReceivedCall {
  readonly name: EndpointName;
  readonly body: unknown;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
}

/** A failure of the list with its details; `message` is the api's own sentence. */
type FailureAnswer = {
  [Code in FailureCode]: {
    readonly failure: Code;
    readonly status?: number;
    readonly message?: string;
  } & (Code extends BareFailureCode ? { readonly [detail: string]: unknown } : FailureDetails<Code>);
}[FailureCode];

/** What to answer: the endpoint's own output, a failure of the list, a connection that breaks, or no answer at all. */
type Answer<Name extends EndpointName> = CallOutput<Name> | FailureAnswer | 'no connection' | 'no answer';
type Answers = { [Name in EndpointName]?: (call: ReceivedCall) => Answer<Name> | Promise<Answer<Name>> };

/** An api whose answers a component test decides. */
export interface FakeApi {
  /** Sets or replaces answers. */
  answer(answers: Answers): void;
  /** Calls received so far, oldest first. */
  readonly calls: readonly ReceivedCall[];
}

/** Tests give them as `Answers`, where each is checked: one that may be any of those would take the type checker seconds to call. */
let answers: Partial<Record<EndpointName, (call: ReceivedCall) => unknown>> = {};
let calls: ReceivedCall[] = [];
let unanswered: string[] = [];

const allRoutes = { ...routes, ...senderRoutes, ...adminRoutes, ...accountRoutes };
const endpoints = (Object.keys(allRoutes) as EndpointName[]).map((name) => {
  const { method, path } = allRoutes[name];
  return { name, method, pattern: new URLPattern({ pathname: path.replace(/\{(\w+)\}/g, ':$1') }) };
});

/** Answers a call inside the page: a service worker would take longer and let calls of one test reach the next. */
async function answerRequest(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const endpoint = endpoints.find((each) => each.method === method && each.pattern.test(url));
  const answer = endpoint && answers[endpoint.name];
  if (!answer) return refuse(request);
  const text = await request.text();
  const call: ReceivedCall = {
    name: endpoint.name,
    params: endpoint.pattern.exec(url)?.pathname.groups ?? {},
    query: Object.fromEntries(new URL(url).searchParams),
    headers,
    body: text ? JSON.parse(text) : undefined,
  };
  calls.push(call);
  return respond(await answer(call));
}

/** A fake api for the tests of a file; call it at its top level. A call that no test answers fails the test. */
export function installFakeApi(): FakeApi {
  const interceptors = [new FetchInterceptor(), new XMLHttpRequestInterceptor()];
  beforeAll(() => {
    for (const interceptor of interceptors) {
      interceptor.on('request', async ({ request, controller }) => {
        if (new URL(request.url).pathname.startsWith('/api/')) controller.respondWith(await answerRequest(request));
      });
      interceptor.apply();
    }
  });
  beforeEach(() => {
    // The frame of every page asks for news, every transfer for the help contact, and a paid one for what was reported of it.
    answers = {
      listNews: () => ({ items: [], nextCursor: null, unread: 0 }),
      helpContact: () => ({ whatsapp: null, email: null }),
      transferComplaints: () => ({ inTimeUntil: '2027-05-23T05:00:00.000Z', regime: 'reg_e', items: [] }),
    } satisfies Answers;
    calls = [];
    unanswered = [];
  });
  afterEach(async () => {
    // What is no longer shown asks for nothing more.
    await cleanup();
    expect(unanswered, 'calls that the test does not answer').toEqual([]);
  });
  afterAll(() => {
    for (const interceptor of interceptors) interceptor.dispose();
  });
  return {
    answer: (more) => Object.assign(answers, more),
    get calls() {
      return calls;
    },
  };
}

function refuse({ method, url }: Request): Response {
  unanswered.push(`${method} ${new URL(url).pathname}`);
  return Response.json({}, { status: 500 });
}

async function respond(answer: unknown): Promise<Response> {
  if (answer === 'no answer') await new Promise(() => {});
  if (answer === 'no connection') return Response.error();
  if (isFailure(answer)) {
    const { failure: code, status = 503, ...details } = answer;
    return Response.json({ code, message: `Mensaje de ${code}.`, ...details }, { status });
  }
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
}

const isFailure = (answer: unknown): answer is { failure: FailureCode; status?: number } =>
  typeof answer === 'object' && answer !== null && 'failure' in answer;
