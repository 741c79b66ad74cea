import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { seesMasked } from '#domain/accounts/account.repository';
import { writeAudit } from '#domain/audit/audit.repository';
import { requestOpenPayments } from '#domain/payments/confirm-payment';
import { openRateRun } from '#domain/rate-observations/rate-runs';
import { type Decision, decide } from '#domain/review/decide';
import { toAdminTransferViews } from '#domain/transfer-views/transfer-views';
import { revealNumber } from '#domain/transfers/reveal-number';
import { findAllTransfers } from '#domain/transfers/transfer-search.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';
import { reviewPolicyOf } from './reviews.controller.ts';

/** Everybody's transfers, and the decisions about them. */
@Controller()
export class AdminTransfersController {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.adminTransfers)
  async list(@Call() { query, person }: CallOf<typeof endpoints.adminTransfers>) {
    return this.database.read(async (em) => {
      const page = await findAllTransfers(em, { ...query, masked: seesMasked(person.user) }, new Date());
      return { items: await toAdminTransferViews(em, page.rows), nextCursor: page.nextCursor };
    });
  }

  @Serve(endpoints.revealNumber)
  async reveal(@Call() { params, body }: CallOf<typeof endpoints.revealNumber>) {
    const wanted = { transferId: params.id, ...body };
    return { value: await this.database.transaction((em) => revealNumber(em, wanted)) };
  }

  @Serve(endpoints.approve)
  async approve(@Call() { params, body, person }: CallOf<typeof endpoints.approve>) {
    const input = { transferId: params.id, adminId: person.user.id, reason: null, at: new Date() };
    return this.#decide({ ...input, decision: 'approve', approvalRequestId: body.approval_request_id });
  }

  @Serve(endpoints.reject)
  async reject(@Call() { params, body, person }: CallOf<typeof endpoints.reject>) {
    const input = {
      transferId: params.id,
      adminId: person.user.id,
      code: body.code ?? null,
      reason: body.note || body.reason || null,
      at: new Date(),
    };
    return this.#decide({ ...input, decision: 'reject' });
  }

  async #decide(input: Decision) {
    const policy = { ...reviewPolicyOf(this.env), rates: this.env.rates };
    return { transaction: await decide(this.database, input, policy) };
  }

  /** Re-reads open payments; skips rate sources that were queried within the last minute. */
  @Serve(endpoints.refresh)
  @RateLimited('refreshesPerAdmin')
  async refresh(@Call() { person }: CallOf<typeof endpoints.refresh>) {
    const sourcesAsked = await this.rateLimits.allows('rateUpdatesPerPerson', person.user.id);
    const count = await this.database.transaction(async (em) => {
      const open = await requestOpenPayments(em);
      const run = { trigger: 'forced', everyMs: this.env.rates.everyMs, at: new Date() } as const;
      if (sourcesAsked) await openRateRun(em, run);
      await writeAudit(em, 'payments_refreshed', { detail: { count: open, sourcesAsked } });
      return open;
    });
    return {
      success: true as const,
      count,
      sourcesAsked,
      message: `${refreshed(count)} ${sourcesAsked ? refreshing : spared}`,
    };
  }
}

const refreshing = 'Se consultan las fuentes de tasas.';
const spared = 'Las fuentes de tasas se consultaron hace menos de un minuto.';

function refreshed(count: number): string {
  if (count === 0) return 'No hay transferencias abiertas.';
  return count === 1 ? 'Se revisa 1 transferencia abierta.' : `Se revisan ${count} transferencias abiertas.`;
}
