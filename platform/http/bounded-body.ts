/** An answer's body went on for longer than its reader was willing to keep. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`the answer is larger than ${maxBytes} bytes`);
  }
}

/**
 * Reads an answer's body as UTF-8 text and stops the transfer once more than `maxBytes` have arrived (after decompression),
 * so that no outside server can fill our memory. @throws BodyTooLargeError.
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  // Leaving the loop by an error cancels the stream.
  for await (const chunk of response.body ?? []) {
    received += chunk.byteLength;
    if (received > maxBytes) throw new BodyTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
