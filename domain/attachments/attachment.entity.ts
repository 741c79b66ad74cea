import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { fileTypes } from '#core/files/upload';

/** A file that a sender added to a report, to an answer, or to a check of who they are; never changed. */
export const Attachment = defineEntity({
  name: 'Attachment',
  tableName: 'attachment',
  properties: {
    id: p.uuid().primary(),
    /** Null for a picture of a document: that is about a person. */
    transferId: p.uuid().nullable(),
    /** One of these three. */
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
