import { Failure } from '#core/contracts/failures';
import type { FileView } from '#core/contracts/http/files';
import type { Database } from '#platform/database/database';
import { findAttachments, insertAttachment, type NewFile } from '../attachments/attachment.repository.ts';
import { bumpComplaintVersion, findComplaint, lockComplaint } from '../complaints/complaint.repository.ts';
import { findQuestion } from '../review/question.repository.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { findOwnTransfer, lockTransfer } from '../transfers/transfer.repository.ts';

interface Upload {
  readonly userId: string;
  readonly file: NewFile;
  readonly at: Date;
}

/**
 * Adds a file to an open report of the sender; returns all of its files. A duplicate changes nothing.
 * @throws Failure `not_found`, also for another user's report, `complaint_decided` once it is closed, `too_many_files`.
 */
export async function attachToComplaint(
  database: Database,
  { userId, complaintId, file, at }: Upload & { complaintId: string },
): Promise<FileView[]> {
  return database.transaction(async (em) => {
    const seen = await findComplaint(em, complaintId);
    const transfer = seen?.senderId === userId ? await lockTransfer(em, seen.transferId) : null;
    const complaint = transfer && (await lockComplaint(em, complaintId));
    if (!complaint) throw new Failure('not_found');
    if (complaint.closedAt) throw new Failure('complaint_decided');
    const added = { subject: { complaintId }, transferId: transfer.id, file, personId: userId, at };
    if (await insertAttachment(em, added)) await bumpComplaintVersion(em, complaintId);
    return (await findAttachments(em, 'complaintId', [complaintId])).get(complaintId) ?? [];
  });
}

/**
 * Adds a file to the answer to a question, before the answer is sent and while the transfer awaits a decision; returns
 * all of its files.
 * @throws Failure `not_found`, also for another user's transfer, `question_closed` with the current transfer,
 * `too_many_files`.
 */
export async function attachToAnswer(
  database: Database,
  { userId, transferId, questionId, file, at }: Upload & { transferId: string; questionId: string },
): Promise<FileView[]> {
  return database.transaction(async (em) => {
    await findOwnTransfer(em, userId, transferId);
    const locked = await lockTransfer(em, transferId);
    const known = await findQuestion(em, questionId);
    if (!locked || known?.question.transferId !== transferId) throw new Failure('not_found');
    if (known.answer || locked.state !== 'in_review')
      throw new Failure('question_closed', { transaction: await toTransferView(em, locked, at) });
    await insertAttachment(em, { subject: { questionId }, transferId, file, personId: userId, at });
    return (await findAttachments(em, 'questionId', [questionId])).get(questionId) ?? [];
  });
}
