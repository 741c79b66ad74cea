import { afterEach, beforeEach, expect } from 'vitest';
import type { FailureCode } from '#core/contracts/failures';
import { routes } from '#core/contracts/http/routes';
import type { CallOutput, EndpointName } from '../lib/http.ts';

/** A call as the component made it. */
export interface ReceivedCall {
  readonly name: EndpointName;
  readonly body: unknown;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
}

/** What to answer: the endpoint's own output, a failure of the list, or no answer at all. */
type Answer<Name extends EndpointName> =
  | CallOutput<Name>
  | { readonly failure: FailureCode; readonly status?: number; readonly [detail: string]: unknown }
  | 'no connection';
type Answers = { [Name in EndpointName]?: (call: ReceivedCall) => Answer<Name> | Promise<Answer<Name>> };

/** An api whose answers a component test decides, in place of `fetch`. */
export interface FakeApi {
  /** Sets or replaces answers. */
  answer(answers: Answers): void;
  /** Calls received so far, oldest first. */
  readonly calls: readonly ReceivedCall[];
}

/** A fake api for the tests of a file; call it at its top level. A call that no test answers fails the test. */
export function installFakeApi(): FakeApi {
  let answers: Answers = {};
  let calls: ReceivedCall[] = [];
  let unanswered: string[] = [];
  const realFetch = globalThis.fetch;
  beforeEach(() => {
    answers = {};
    calls = [];
    unanswered = [];
    globalThis.fetch = async (input, init) => {
      const { pathname, searchParams } = new URL(String(input), window.location.href);
      const method = init?.method ?? 'GET';
      if (!pathname.startsWith('/api/')) return realFetch(input, init);
      const name = nameOf(method, pathname);
      const answer = name && answers[name];
      if (!name || !answer) {
        unanswered.push(`${method} ${pathname}`);
        return new Response('{}', { status: 500 });
      }
      const body = init?.body ? JSON.parse(String(init.body)) : undefined;
      const headers = new Headers(init?.headers);
      const call = { name, body, query: Object.fromEntries(searchParams), headers };
      calls.push(call);
      return respond(await answer(call));
    };
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
    expect(unanswered, 'calls that the test does not answer').toEqual([]);
  });
  return {
    answer: (more) => Object.assign(answers, more),
    get calls() {
      return calls;
    },
  };
}

function nameOf(method: string, pathname: string): EndpointName | undefined {
  const names = Object.keys(routes) as EndpointName[];
  return names.find((name) => {
    const { path } = routes[name];
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return routes[name].method === method && pattern.test(pathname);
  });
}

function respond(answer: unknown): Response {
  if (answer === 'no connection') throw new TypeError('Failed to fetch');
  if (isFailure(answer)) {
    const { failure: code, status = 503, ...details } = answer;
    return Response.json({ code, message: `Mensaje de ${code}.`, ...details }, { status });
  }
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
}

const isFailure = (answer: unknown): answer is { failure: FailureCode; status?: number } =>
  typeof answer === 'object' && answer !== null && 'failure' in answer;
