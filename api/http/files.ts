import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

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

/** A file that a person uploaded: always downloaded, never shown, under the name they gave it. */
export function uploadedFile({ name, type, bytes }: { name: string; type: string; bytes: Uint8Array }): StreamableFile {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
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
