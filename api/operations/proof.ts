import type { z } from 'zod';
import type { proofFile } from '#core/contracts/http/operations';
import { invalidInput } from '#core/contracts/invalid-input';
import type { NewProof } from '#domain/operations/desk-request.repository';

const bytesMax = 2 * 1024 * 1024;

/** How files of a type begin. */
const beginnings: Readonly<Record<NewProof['type'], Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'image/jpeg': Buffer.from('ffd8ff', 'hex'),
};

/** Reads a proof. @throws Failure `invalid_input` when it is too large or not a file of its type. */
export function decodeProof({ name, type, data }: z.output<typeof proofFile>): NewProof {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > bytesMax) throw invalidInput({ proof: 'proof_too_large' });
  const beginning = beginnings[type];
  if (!bytes.subarray(0, beginning.length).equals(beginning)) {
    throw invalidInput({ proof: 'proof_unreadable' });
  }
  return { name, type, bytes };
}
