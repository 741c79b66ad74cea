import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { readAttachment } from '#domain/attachments/attachment.repository';
import { attachToAnswer, attachToComplaint } from '#domain/complaint-handling/attach-file';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { auditFileRead, Uploads, uploadedFile } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** Files that senders add to reports and answers: for who uploaded them and for admins, always as a download. */
@Controller()
export class FilesController {
  constructor(
    private readonly database: Database,
    private readonly uploads: Uploads,
  ) {}

  @Serve(endpoints.attachToComplaint)
  @RateLimited('filesPerPerson')
  async toComplaint(@Call() { params, body, person }: CallOf<typeof endpoints.attachToComplaint>) {
    const file = await this.uploads.read(body, 'data');
    const upload = { userId: person.user.id, complaintId: params.id, file, at: new Date() };
    return { files: await attachToComplaint(this.database, upload) };
  }

  @Serve(endpoints.attachToAnswer)
  @RateLimited('filesPerPerson')
  async toAnswer(@Call() { params, body, person }: CallOf<typeof endpoints.attachToAnswer>) {
    const file = await this.uploads.read(body, 'data');
    const { id: transferId, questionId } = params;
    const upload = { userId: person.user.id, transferId, questionId, file, at: new Date() };
    return { files: await attachToAnswer(this.database, upload) };
  }

  @Serve(endpoints.ownFile)
  async own(@Call() { params, person }: CallOf<typeof endpoints.ownFile>) {
    return uploadedFile(await readAttachment(this.database.fork(), params.id, { userId: person.user.id }));
  }

  @Serve(endpoints.adminFile)
  async any(@Call() { params }: CallOf<typeof endpoints.adminFile>) {
    const file = await readAttachment(this.database.fork(), params.id, 'admin');
    await auditFileRead(this.database, params.id, 'attachment');
    return uploadedFile(file);
  }
}
