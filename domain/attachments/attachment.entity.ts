import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { fileTypes } from '#core/files/upload';

/** A file that a sender added to a report, to an answer, or to an identity check; immutable. */
export const Attachment = defineEntity({
  name: 'Attachment',
  tableName: 'attachment',
  properties: {
    id: p.uuid().primary(),
    /** Null for a photo of a document, which belongs to a user. */
    transferId: p.uuid().nullable(),
    /** Exactly one of these three is set. */
    complaintId: p.uuid().nullable(),
    questionId: p.uuid().nullable(),
    identityCheckId: p.uuid().nullable(),
    uploadedById: p.uuid(),
    name: p.text(),
    type: p.enum(fileTypes),
    bytes: p.blob().lazy(),
    /** In bytes. */
    size: p.integer(),
    /** In hexadecimal. */
    sha256: p.text(),
    uploadedAt: p.datetime(),
  },
});
export type Attachment = InferEntity<typeof Attachment>;
