import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isPermitted } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { adminRoleOf } from '#domain/accounts/account.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { type CallRequest, isOutsideContract, servedEndpoint } from '../http/serve.ts';
import { ENV } from '../tokens.ts';
import { isFromOurPages, isSafeMethod } from './origin.ts';
import { lastProof, Sessions } from './sessions.ts';

const names = new Map(Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [endpoint, name]));
/** The endpoint's name in the permission matrix; empty, and therefore denied, for endpoints outside of the contract. */
const nameOf = (endpoint: Endpoint) => names.get(endpoint) ?? '';

/**
 * Checks origin, session, role and second factor before every handler. Calls of handlers without an endpoint of the contract are refused,
 * unless they are marked with `@OutsideContract`.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  /** @throws Failure `wrong_origin`, `unauthenticated`, `forbidden`, `second_factor_missing` or `second_factor_stale`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isOutsideContract(context)) return true;
    const endpoint = this.reflector.get<Endpoint | undefined>(servedEndpoint, context.getHandler());
    if (!endpoint) throw new Failure('forbidden');
    const request = context.switchToHttp().getRequest<CallRequest>();
    if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, this.env)) {
      throw new Failure('wrong_origin');
    }
    if (endpoint.access === 'public') return true;
    const person = await this.sessions.require(request);
    // Before it is known whether they may: a refusal is logged with who it was.
    request.person = person;
    if (endpoint.access === 'admin' && !isPermitted(adminRoleOf(person.user), nameOf(endpoint))) {
      throw new Failure('forbidden');
    }
    if (person.mustSetUp && !endpoint.beforeSetUp) throw new Failure('second_factor_missing');
    if (endpoint.freshFactor) {
      // Without a second factor there is nothing to prove, or the password.
      const provenAt = endpoint.freshFactor === 'or_password' ? lastProof(person) : person.factorAt;
      const isStale = provenAt !== null && Date.now() - provenAt.getTime() > this.env.sessions.stepUpMs;
      if (isStale) throw await this.sessions.staleFactor(person);
    }
    return true;
  }
}
