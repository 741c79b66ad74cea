import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { FileView } from '#core/contracts/http/files';
import { type FileType, filesMax } from '#core/files/upload';
import type { EntityManager } from '#platform/database/database';
import { Attachment } from './attachment.entity.ts';

/** An uploaded file whose content was checked. */
export interface NewFile {
  readonly name: string;
  readonly type: FileType;
  readonly bytes: Buffer;
}

/** What a file is attached to. */
type Subject =
  | { readonly complaintId: string }
  | { readonly questionId: string }
  | { readonly identityCheckId: string };

/**
 * Stores a file in the transaction of `em`, which holds the lock of the transfer's or account's row. A duplicate
 * changes nothing. Returns whether it is new.
 * @throws Failure `too_many_files`.
 */
export async function insertAttachment(
  em: EntityManager,
  input: { subject: Subject; transferId: string | null; file: NewFile; personId: string; at: Date },
): Promise<boolean> {
  const { subject, transferId, file, personId: uploadedById, at: uploadedAt } = input;
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  if ((await em.count(Attachment, { ...subject, sha256 })) > 0) return false;
  if ((await em.count(Attachment, subject)) >= filesMax) throw new Failure('too_many_files', { most: filesMax });
  const kept = { id: randomUUID(), transferId, ...subject, ...file, size: file.bytes.length, sha256 };
  await em
    .createQueryBuilder(Attachment)
    .insert({ ...kept, uploadedById, uploadedAt })
    .execute();
  return true;
}

type Column = 'complaintId' | 'questionId' | 'identityCheckId';

/** The files of reports, answers or identity checks, grouped by these and oldest first, without content. */
export async function findAttachments(
  em: EntityManager,
  of: Column,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileView[]>> {
  if (ids.length === 0) return new Map();
  const found = await em.find(Attachment, { [of]: { $in: [...ids] } }, { orderBy: { uploadedAt: 'asc', id: 'asc' } });
  const files = new Map<string, FileView[]>();
  for (const { id, name, type, size, uploadedAt, ...subject } of found) {
    const key = subject[of];
    if (!key) continue;
    files.set(key, [...(files.get(key) ?? []), { id, name, type, size, at: uploadedAt.toISOString() }]);
  }
  return files;
}

/** A file with its content. @throws Failure `not_found`, also for a sender who did not upload it. */
export async function readAttachment(
  em: EntityManager,
  id: string,
  reader: { readonly userId: string } | 'admin',
): Promise<{ name: string; type: FileType; bytes: Uint8Array }> {
  const where = reader === 'admin' ? { id } : { id, uploadedById: reader.userId };
  const found = await em.findOne(Attachment, where, { populate: ['bytes'] });
  if (!found) throw new Failure('not_found');
  return { name: found.name, type: found.type, bytes: found.bytes as Uint8Array };
}
