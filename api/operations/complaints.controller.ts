import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { toComplaintViews } from '#domain/complaint-handling/complaint-views';
import { approveComplaint, concludeComplaint, correctComplaint } from '#domain/complaint-handling/conclude';
import {
  assignComplaint,
  holdComplaint,
  listAccounts,
  listComplaints,
  noteComplaint,
  viewComplaint,
} from '#domain/complaint-handling/handle';
import { reportComplaint, viewReports, withdrawComplaint } from '#domain/complaint-handling/report';
import { findOwnComplaintPage } from '#domain/complaints/complaint.repository';
import { issueLetter } from '#domain/papers/issue';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { auditFileRead, pdfFile } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';
import { reviewPolicyOf } from '../transfers/reviews.controller.ts';

/** Problem reports of senders and their handling by admins. */
@Controller()
export class ComplaintsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.ownComplaints)
  async own(@Call() { query, person }: CallOf<typeof endpoints.ownComplaints>) {
    const em = this.database.fork();
    const { rows, nextCursor } = await findOwnComplaintPage(em, person.user.id, query);
    return { items: await toComplaintViews(em, rows), nextCursor };
  }

  @Serve(endpoints.transferComplaints)
  async ofTransfer(@Call() { params, person }: CallOf<typeof endpoints.transferComplaints>) {
    return viewReports(this.database.fork(), { userId: person.user.id, transferId: params.id, at: new Date() });
  }

  @Serve(endpoints.reportComplaint)
  @RateLimited('complaintsPerPerson')
  async report(@Call() { params, body, person }: CallOf<typeof endpoints.reportComplaint>) {
    const input = { userId: person.user.id, transferId: params.id, at: new Date(), ...body };
    return reportComplaint(this.database, input);
  }

  @Serve(endpoints.withdrawComplaint)
  async withdraw(@Call() { params, person }: CallOf<typeof endpoints.withdrawComplaint>) {
    return withdrawComplaint(this.database, { userId: person.user.id, complaintId: params.id, at: new Date() });
  }

  @Serve(endpoints.letterPdf)
  @RateLimited('papersPerPerson')
  async letter(@Call() call: CallOf<typeof endpoints.letterPdf>) {
    return this.#letter(call, call.person.user.id);
  }

  @Serve(endpoints.adminLetterPdf)
  @RateLimited('papersPerPerson')
  async anyLetter(@Call() call: CallOf<typeof endpoints.adminLetterPdf>) {
    const file = await this.#letter(call, 'admin');
    await auditFileRead(this.database, call.params.id, 'complaint_letter');
    return file;
  }

  async #letter(
    { params, query, person }: Pick<CallOf<typeof endpoints.letterPdf>, 'params' | 'query' | 'person'>,
    readerId: string | 'admin',
  ) {
    const language = query.language ?? person.user.locale;
    const { publicUrl, company } = this.env;
    const ask = { letterId: params.id, readerId, language, publicUrl, company, at: new Date() };
    return pdfFile(await issueLetter(this.database.fork(), ask));
  }

  @Serve(endpoints.adminComplaints)
  async list(@Call() { query, person }: CallOf<typeof endpoints.adminComplaints>) {
    return listComplaints(this.database.fork(), query, { viewerId: person.user.id, at: new Date() });
  }

  @Serve(endpoints.adminComplaint)
  async view(@Call() call: CallOf<typeof endpoints.adminComplaint>) {
    return { complaint: await viewComplaint(this.database.fork(), actOf(call)) };
  }

  @Serve(endpoints.complaintAccounts)
  async accounts(@Call() { params }: CallOf<typeof endpoints.complaintAccounts>) {
    return { accounts: await listAccounts(this.database.fork(), params.id) };
  }

  @Serve(endpoints.assignComplaint)
  async assign(@Call() call: CallOf<typeof endpoints.assignComplaint>) {
    return { complaint: await assignComplaint(this.database, { ...actOf(call), ...call.body }) };
  }

  @Serve(endpoints.noteComplaint)
  async note(@Call() call: CallOf<typeof endpoints.noteComplaint>) {
    return { complaint: await noteComplaint(this.database, { ...actOf(call), ...call.body }) };
  }

  @Serve(endpoints.holdComplaint)
  async hold(@Call() call: CallOf<typeof endpoints.holdComplaint>) {
    return { complaint: await holdComplaint(this.database, { ...actOf(call), ...call.body }) };
  }

  @Serve(endpoints.concludeComplaint)
  async conclude(@Call() call: CallOf<typeof endpoints.concludeComplaint>) {
    const { twoPersonsUsdMinor } = this.env.desk;
    const { recipient_id: recipientId, ...result } = call.body;
    const act = { ...actOf(call), ...result, recipientId, twoPersonsUsdMinor };
    return { complaint: await concludeComplaint(this.database, act) };
  }

  @Serve(endpoints.approveComplaint)
  async approve(@Call() call: CallOf<typeof endpoints.approveComplaint>) {
    const { found_at: foundAt, ...answer } = call.body;
    const decision = { ...answer, foundAt: foundAt === undefined ? undefined : new Date(foundAt) };
    const act = { ...actOf(call), ...decision, policy: reviewPolicyOf(this.env) };
    return { complaint: await approveComplaint(this.database, act) };
  }

  @Serve(endpoints.correctComplaint)
  async correct(@Call() call: CallOf<typeof endpoints.correctComplaint>) {
    return { complaint: await correctComplaint(this.database, actOf(call)) };
  }
}

function actOf({ params, person }: { params: { id: string }; person: { user: { id: string } } }) {
  return { complaintId: params.id, adminId: person.user.id, at: new Date() };
}
