import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type CallCost, endpointCosts } from '#core/contracts/http/costs';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { type CallRequest, isOutsideContract, servedEndpoint } from '../http/serve.ts';
import { networkOf } from './network.ts';
import { type RequestLimitName, rateLimitRules } from './rate-limit-rules.ts';
import { RateLimits } from './rate-limits.ts';

/** Metadata key under which a handler keeps the limit of its calls. */
export const rateLimited = 'chasqui:rate-limit';

/** Every call of this handler counts against a limit, of its person or its network, before anything else is done for it. */
export const RateLimited = (limit: RequestLimitName) => SetMetadata(rateLimited, limit);

/** What a call of an endpoint costs; those of the contract are one object each. */
const costs = new Map<Endpoint, CallCost>(
  Object.entries(endpoints).map(([name, endpoint]) => [endpoint, endpointCosts[name as keyof typeof endpointCosts]]),
);

/**
 * Counts every call of a network before the session lookup, since looking up a missing session costs a statement too.
 */
@Injectable()
export class NetworkLimitGuard implements CanActivate {
  constructor(private readonly rateLimits: RateLimits) {}

  /** @throws Failure `too_many_requests`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isOutsideContract(context)) return true;
    await this.rateLimits.take('callsPerNetwork', networkOf(context.switchToHttp().getRequest<CallRequest>()));
    return true;
  }
}

/**
 * Counts every call by its cost class, and handlers marked with `@RateLimited` also by their own limit. Runs after the
 * access guard, which identifies the person.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimits: RateLimits,
  ) {}

  /** @throws Failure `too_many_requests`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isOutsideContract(context)) return true;
    const request = context.switchToHttp().getRequest<CallRequest>();
    const personId = request.person?.user.id;
    const endpoint = this.reflector.get<Endpoint | undefined>(servedEndpoint, context.getHandler());
    const cost = endpoint && costs.get(endpoint);
    if (!cost) throw new Error('a handler serves no endpoint of the contract');
    if (personId === undefined) await this.rateLimits.take(`${cost}CallsPerNetwork`, networkOf(request));
    else await this.rateLimits.take(`${cost}CallsPerPerson`, personId);
    const limit = this.reflector.get<RequestLimitName | undefined>(rateLimited, context.getHandler());
    if (!limit) return true;
    const key = rateLimitRules[limit].per === 'person' ? personId : networkOf(request);
    if (key === undefined) throw new Error(`the limit ${limit} needs a signed-in person`);
    await this.rateLimits.take(limit, key);
    return true;
  }
}
