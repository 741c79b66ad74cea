import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { actOnCase, decideDeskRequest } from '#domain/operations/act-on-case';
import { listCases, noteCase, takeCase, viewCase } from '#domain/operations/desk';
import { findProofOf } from '#domain/operations/desk-request.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { auditFileRead, Uploads, uploadedFile } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** The operations desk: what needs a person, and what people do about it. */
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
    const { action, reason, amount, bank_reference: bankReference, proof } = body;
    const { twoPersonsUsdMinor } = this.env.desk;
    const acted = await actOnCase(this.database, {
      ...{ caseId: params.id, adminId: person.user.id, action, reason, bankReference, amount, twoPersonsUsdMinor },
      proof: proof && (await this.uploads.read(proof, 'proof')),
      at: new Date(),
    });
    return { case: acted };
  }

  @Serve(endpoints.decideDeskRequest)
  async decide(@Call() { params, body, person }: CallOf<typeof endpoints.decideDeskRequest>) {
    const input = { requestId: params.id, adminId: person.user.id, approve: body.approve, at: new Date() };
    return { case: await decideDeskRequest(this.database, input) };
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
