import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { HelpContactView } from '#core/contracts/http/help';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Where people find help. */
@Controller()
export class HelpController {
  constructor(@Inject(ENV) private readonly env: ApiConfiguration) {}

  @Serve(endpoints.helpContact)
  async contact(): Promise<HelpContactView> {
    const { whatsapp, email } = this.env.help;
    return { whatsapp: whatsapp ?? null, email: email ?? null };
  }
}
