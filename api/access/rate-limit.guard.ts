import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { CallRequest } from '../http/serve.ts';
import { networkOf } from './network.ts';
import { type RequestLimitName, rateLimitRules } from './rate-limit-rules.ts';
import { RateLimits } from './rate-limits.ts';

/** Metadata key under which a handler keeps the limit of its calls. */
export const rateLimited = 'chasqui:rate-limit';

/** Every call of this handler counts against a limit, of its person or its network, before anything else is done for it. */
export const RateLimited = (limit: RequestLimitName) => SetMetadata(rateLimited, limit);

/** Counts calls of handlers marked with `@RateLimited`; runs after the access guard, which finds the person. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimits: RateLimits,
  ) {}

  /** @throws Failure `too_many_requests`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const limit = this.reflector.get<RequestLimitName | undefined>(rateLimited, context.getHandler());
    if (!limit) return true;
    const request = context.switchToHttp().getRequest<CallRequest>();
    const key = rateLimitRules[limit].per === 'person' ? request.person?.user.id : networkOf(request);
    if (key === undefined) throw new Error(`the limit ${limit} needs a signed-in person`);
    await this.rateLimits.take(limit, key);
    return true;
  }
}
