import { isDeepStrictEqual } from 'node:util';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, Observable } from 'rxjs';
import { isMasked, maskPersonal } from '#core/accounts/roles';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { adminRoleOf } from '#domain/accounts/account.repository';
import { type Caller, runFor } from '#platform/caller';
import type { ApiConfiguration } from '#platform/configuration/api';
import { keptNetworkOf } from '../access/network.ts';
import { deviceCookie, type SecretCookie } from '../access/secret-cookie.ts';
import { ENV } from '../tokens.ts';
import { readBody } from './bodies.ts';
import { parseInput } from './input.ts';
import { type CallRequest, servedEndpoint } from './serve.ts';

/**
 * Reads and parses the input of every endpoint after the guards and before its handler; outside production its responses are checked, too.
 */
@Injectable()
export class ContractInterceptor implements NestInterceptor {
  readonly #device: SecretCookie;

  constructor(
    private readonly reflector: Reflector,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {
    this.#device = deviceCookie(env.publicUrl);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const endpoint = this.reflector.get<Endpoint | undefined>(servedEndpoint, context.getHandler());
    if (!endpoint || context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<CallRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const body = await readBody(request, endpoint);
    request.call = {
      params: parseInput(endpoint.params, request.params),
      query: parseInput(endpoint.query, request.query),
      body: parseInput(endpoint.body, body),
      person: request.person,
      request,
      response,
    } as CallRequest['call'];
    // Answers are for one person: no cache may store them.
    response.setHeader('Cache-Control', 'no-store');
    const caller = { ...callerOf(request), device: this.#device.read(request.headers.cookie) };
    // The handler runs on subscription.
    const handled = new Observable((subscriber) => runFor(caller, () => next.handle().subscribe(subscriber)));
    const role = endpoint.access === 'admin' && request.person ? adminRoleOf(request.person.user) : null;
    const answered = role && isMasked(role) && !endpoint.answersFile ? handled.pipe(map(maskPersonal)) : handled;
    if (this.env.production) return answered;
    return answered.pipe(
      map((answer) => {
        if (endpoint.audit && !caller.written.has(endpoint.audit)) {
          throw new Error(`${endpoint.method} ${endpoint.path} succeeded without ${endpoint.audit} in the audit log`);
        }
        return endpoint.answersFile ? answer : checkAnswer(endpoint, answer);
      }),
    );
  }
}

/** The caller of a request, for audit entries and logs. */
export function callerOf(request: CallRequest): Caller {
  const { person } = request;
  const network = keptNetworkOf(request);
  return {
    personId: person?.user.id ?? null,
    role: person ? (adminRoleOf(person.user) ?? person.user.role) : null,
    network,
    written: new Set(),
  };
}

/** An answer that breaks the contract is a bug: in development and tests it throws instead of reaching a browser. */
function checkAnswer(endpoint: Endpoint, answer: unknown): unknown {
  if (!endpoint.response) {
    if (answer !== undefined) throw new Error(`${endpoint.method} ${endpoint.path} must answer nothing`);
    return answer;
  }
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  const parsed = endpoint.response.safeParse(sent);
  if (!parsed.success)
    throw new Error(`${endpoint.method} ${endpoint.path} broke its contract: ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, sent)) {
    throw new Error(`${endpoint.method} ${endpoint.path} answers fields that are not in its contract`);
  }
  return answer;
}
