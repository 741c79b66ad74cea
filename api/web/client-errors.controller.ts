import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { Logger } from '#platform/logging';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LOG } from '../tokens.ts';

/** Errors that happen in browsers, for the server's log. */
@Controller()
export class ClientErrorsController {
  constructor(@Inject(LOG) private readonly log: Logger) {}

  @Serve(endpoints.reportClientError)
  @RateLimited('clientErrorsPerNetwork')
  async report(@Call() { body }: CallOf<typeof endpoints.reportClientError>): Promise<undefined> {
    this.log.warn({ clientError: body }, 'an error in a browser');
    return undefined;
  }
}
