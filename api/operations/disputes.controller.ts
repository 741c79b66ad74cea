import { Controller, Inject, StreamableFile } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { evidencePdf } from '#domain/dispute-evidence/evidence';
import { submitDisputeEvidence } from '#domain/dispute-evidence/respond';
import { findDispute } from '#domain/disputes/dispute.repository';
import { Database } from '#platform/database/database';
import { auditFileRead } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { STRIPE } from '../tokens.ts';

/** What admins do about disputes. */
@Controller()
export class DisputesController {
  constructor(
    private readonly database: Database,
    @Inject(STRIPE) private readonly stripe: Stripe,
  ) {}

  @Serve(endpoints.respondToDispute)
  async respond(@Call() { params, body, person }: CallOf<typeof endpoints.respondToDispute>) {
    const input = { disputeId: params.id, adminId: person.user.id, text: body.text, at: new Date() };
    return { dispute: await this.database.transaction((em) => submitDisputeEvidence(em, input)) };
  }

  @Serve(endpoints.disputeEvidence)
  async evidence(@Call() { params }: CallOf<typeof endpoints.disputeEvidence>): Promise<StreamableFile> {
    const em = this.database.fork();
    const dispute = await findDispute(em, params.id);
    if (!dispute) throw new Failure('not_found');
    const file = await evidencePdf(em, this.stripe, dispute);
    await auditFileRead(this.database, dispute.id, 'dispute_evidence');
    const disposition = `attachment; filename="${dispute.id}.pdf"`;
    return new StreamableFile(file, { type: 'application/pdf', disposition, length: file.length });
  }
}
