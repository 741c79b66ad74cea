import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { isPermitted } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import { adminRoleOf } from '#domain/accounts/account.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Logger } from '#platform/logging';
import { answerFailure } from '../http/failure.filter.ts';
import type { CallRequest } from '../http/serve.ts';
import { networkOf } from './network.ts';
import { isFromOurPages, isSafeMethod } from './origin.ts';
import { RateLimits } from './rate-limits.ts';
import { type Person, Sessions } from './sessions.ts';

/**
 * Lets only those through whose role may use the queue dashboard, for pages that are no endpoints of the contract. A visitor who wants to see a page is sent to
 * sign in first.
 */
export function adminsOnly(app: NestExpressApplication, parts: { env: ApiConfiguration; log: Logger }): RequestHandler {
  return (request, response, next) => {
    const limits = app.get(RateLimits);
    const admitted = async () => {
      await limits.take('callsPerNetwork', networkOf(request));
      const person = await admit(app.get(Sessions), request, parts.env);
      // Each page of the queues counts the jobs of all of them.
      await limits.take('searchCallsPerPerson', person.user.id);
    };
    admitted().then(
      () => next(),
      (error: unknown) => {
        const signedOut = error instanceof Failure && error.code === 'unauthenticated';
        if (signedOut && isSafeMethod(request.method) && request.accepts(['json', 'html']) === 'html') {
          response.redirect(`/login?next=${encodeURIComponent(request.originalUrl)}`);
          return;
        }
        answerFailure(error, request, response, parts.log);
      },
    );
  };
}

/** @throws Failure `wrong_origin`, `unauthenticated`, `forbidden`, `second_factor_missing`. */
async function admit(
  sessions: Sessions,
  request: Parameters<RequestHandler>[0],
  env: ApiConfiguration,
): Promise<Person> {
  if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, env)) throw new Failure('wrong_origin');
  const person = await sessions.require(request);
  // Before it is known whether they may: a refusal is logged with who it was.
  (request as CallRequest).person = person;
  if (!isPermitted(adminRoleOf(person.user), 'queueBoard')) throw new Failure('forbidden');
  if (person.mustSetUp) throw new Failure('second_factor_missing');
  return person;
}
