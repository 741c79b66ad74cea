/**
 * The reference a sender reads on a receipt: TR and fifteen digits. They are the first 48 bits of the transfer's own id, so the
 * same transfer always has the same one, and support turns it back into the start of the id to find it.
 */
export function referenceOf(transferId: string): string {
  const start = transferId.replaceAll('-', '').slice(0, 12);
  return `TR${BigInt(`0x${start}`).toString().padStart(15, '0')}`;
}
