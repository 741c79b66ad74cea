import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { findProofOf } from '#domain/desk/desk-request.repository';
import { actOnCase } from '#domain/desk-actions/act-on-case';
import { decideDeskRequest } from '#domain/desk-actions/decide-request';
import { listCaseAccounts, listCases, noteCase, takeCase, viewCase } from '#domain/desk-actions/desk';
import { dropSettlement, refuteSettlement, reportSettlement } from '#domain/desk-actions/settlement';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { auditFileRead, Uploads, uploadedFile } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** The operations desk: cases that need a person, and the actions on them. */
@Controller()
export class DeskController {
  constructor(
    private readonly database: Database,
    private readonly uploads: Uploads,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.deskCases)
  async list(@Call() { query, person }: CallOf<typeof endpoints.deskCases>) {
    return listCases(this.database.fork(), query, { viewerId: person.user.id, at: new Date() });
  }

  @Serve(endpoints.deskCase)
  async view(@Call() { params, person }: CallOf<typeof endpoints.deskCase>) {
    return { case: await viewCase(this.database.fork(), params.id, { viewerId: person.user.id, at: new Date() }) };
  }

  @Serve(endpoints.assignCase)
  async assign(@Call() { params, body, person }: CallOf<typeof endpoints.assignCase>) {
    const input = { caseId: params.id, mine: body.mine, viewerId: person.user.id, at: new Date() };
    return { case: await takeCase(this.database, input) };
  }

  @Serve(endpoints.noteCase)
  async note(@Call() { params, body, person }: CallOf<typeof endpoints.noteCase>) {
    const input = { caseId: params.id, text: body.text, viewerId: person.user.id, at: new Date() };
    return { case: await noteCase(this.database, input) };
  }

  @Serve(endpoints.actOnCase)
  async act(@Call() { params, body, person }: CallOf<typeof endpoints.actOnCase>) {
    const { recipient_id: recipientId, ...act } = body;
    const input = { caseId: params.id, adminId: person.user.id, ...act, recipientId, ...this.env.desk, at: new Date() };
    return { case: await actOnCase(this.database, input) };
  }

  @Serve(endpoints.reportSettlement)
  async report(@Call() { params, body, person }: CallOf<typeof endpoints.reportSettlement>) {
    const { bank_reference: bankReference, amount, reason } = body;
    const { twoPersonsUsdMinor } = this.env.desk;
    const proof = await this.uploads.read(body.proof, 'proof');
    const call = { requestId: params.id, adminId: person.user.id, at: new Date() };
    const report = { ...call, bankReference, amount, reason, proof, twoPersonsUsdMinor };
    return { case: await reportSettlement(this.database, report) };
  }

  @Serve(endpoints.dropSettlement)
  async drop(@Call() { params, person }: CallOf<typeof endpoints.dropSettlement>) {
    const call = { requestId: params.id, adminId: person.user.id, at: new Date() };
    return { case: await dropSettlement(this.database, call) };
  }

  @Serve(endpoints.refuteSettlement)
  async refute(@Call() { params, body, person }: CallOf<typeof endpoints.refuteSettlement>) {
    const proof = await this.uploads.read(body.proof, 'proof');
    const call = { requestId: params.id, adminId: person.user.id, at: new Date() };
    return { case: await refuteSettlement(this.database, { ...call, reason: body.reason, proof }) };
  }

  @Serve(endpoints.decideDeskRequest)
  async decide(@Call() { params, body, person }: CallOf<typeof endpoints.decideDeskRequest>) {
    const input = { requestId: params.id, adminId: person.user.id, approve: body.approve, at: new Date() };
    return { case: await decideDeskRequest(this.database, input) };
  }

  @Serve(endpoints.caseAccounts)
  async accounts(@Call() { params }: CallOf<typeof endpoints.caseAccounts>) {
    return { accounts: await listCaseAccounts(this.database.fork(), params.id) };
  }

  /** The file is downloaded, never shown: it came from a person. */
  @Serve(endpoints.deskProof)
  async proof(@Call() { params }: CallOf<typeof endpoints.deskProof>): Promise<StreamableFile> {
    const proof = await findProofOf(this.database.fork(), params.id);
    if (!proof) throw new Failure('not_found');
    await auditFileRead(this.database, params.id, 'desk_proof');
    return uploadedFile(proof);
  }
}
