import { Readable } from 'node:stream';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { fileInput } from '#core/contracts/http/files';
import { invalidInput } from '#core/contracts/invalid-input';
import { type FileType, fileBytesMax, fileEndings } from '#core/files/upload';
import type { NewFile } from '#domain/attachments/attachment.repository';
import { writeAudit } from '#domain/audit/audit.repository';
import { connectClamd, type VirusScanner } from '#platform/clamd';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { ENV, LOG } from '../tokens.ts';

/** How a file of ours is downloaded; its name has letters, digits, dots and dashes alone. */
const asAttachment = (name: string) => `attachment; filename="${name}"`;

/** A finished PDF of ours as a download. */
export function pdfFile({ name, content }: { name: string; content: Buffer }): StreamableFile {
  return new StreamableFile(content, {
    type: 'application/pdf',
    disposition: asAttachment(name),
    length: content.length,
  });
}

/** A file that a person uploaded: always downloaded, never shown, under the name they gave it, ending as its content wants. */
export function uploadedFile({ name, type, bytes }: { name: string; type: string; bytes: Uint8Array }): StreamableFile {
  const endings: readonly string[] = fileEndings[type as FileType] ?? [];
  const isApt = endings.some((ending) => name.toLowerCase().endsWith(ending));
  const encoded = encodeURIComponent(`${name || 'archivo'}${isApt ? '' : (endings[0] ?? '')}`).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return new StreamableFile(bytes, {
    type,
    disposition: `attachment; filename*=UTF-8''${encoded}`,
    length: bytes.length,
  });
}

/**
 * A file of unknown length. What fails before its first piece fails as any call does; later the connection breaks off: half a file must
 * not look like a whole one.
 */
export async function streamed(pieces: AsyncGenerator<Buffer>, type: string, name: string): Promise<StreamableFile> {
  const first = await pieces.next();
  async function* all() {
    if (!first.done) yield first.value;
    yield* pieces;
  }
  const file = new StreamableFile(Readable.from(all()), { type, disposition: asAttachment(name) });
  return file.setErrorHandler((error, response) => response.destroy?.(error));
}

/** Writes down that an admin is given a file of a sender or of a colleague. */
export function auditFileRead(
  database: Database,
  subject: string,
  what: 'attachment' | 'complaint_letter' | 'desk_proof' | 'dispute_evidence',
): Promise<void> {
  return database.transaction((em) => writeAudit(em, 'file_read', { subject, detail: { what } }));
}

/** How files of a type begin. */
const beginnings: Readonly<Record<FileType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'image/jpeg': Buffer.from('ffd8ff', 'hex'),
};

/**
 * Reads an uploaded file; `field` is its path in the body. Its content determines the type, not the declared one.
 * @throws Failure `invalid_input` when it is too large or not a file of its type.
 */
function readUpload({ name, type, data }: z.output<typeof fileInput>, field: string): NewFile {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > fileBytesMax) throw invalidInput({ [field]: 'proof_too_large' });
  const beginning = beginnings[type];
  if (!bytes.subarray(0, beginning.length).equals(beginning)) throw invalidInput({ [field]: 'proof_unreadable' });
  return { name, type, bytes };
}

/** Files that people upload, which a virus scanner looks at before anything else, where one is configured. */
@Injectable()
export class Uploads {
  readonly #scanner: VirusScanner | null;

  constructor(
    @Inject(ENV) env: ApiConfiguration,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.#scanner = env.clamavUrl === undefined ? null : connectClamd(env.clamavUrl);
  }

  /**
   * Reads an uploaded file; `field` is its path in the body.
   * @throws Failure `invalid_input` when it is too large, not a file of its type or has a virus, `unavailable` while
   * the scanner gives no answer.
   */
  async read(input: z.output<typeof fileInput>, field: string): Promise<NewFile> {
    const file = readUpload(input, field);
    const found = await this.#scanner?.find(file.bytes).catch((error: Error) => {
      this.log.error({ kind: error.name, reason: error.message }, 'the virus scanner gave no answer');
      throw new Failure('unavailable');
    });
    if (found) {
      this.log.warn({ found }, 'an uploaded file was refused: the virus scanner found something in it');
      throw invalidInput({ [field]: 'proof_infected' });
    }
    return file;
  }
}
