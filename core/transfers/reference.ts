/** How many hexadecimal digits of a transfer's id its reference says; fifteen decimal digits have room for them. */
const hexDigits = 12;
const decimalDigits = 15;

/**
 * The one number of a transfer that people read and tell us: TR and fifteen digits, as the product specification has it. It
 * is the beginning of the id, so the same transfer always has the same one, and it leads back to the id.
 */
export function referenceOf(transferId: string): string {
  const start = transferId.replaceAll('-', '').slice(0, hexDigits);
  return `TR${BigInt(`0x${start}`).toString().padStart(decimalDigits, '0')}`;
}

/** The first hexadecimal digits of the id that a reference says, however it is spaced; null where the text is no reference. */
export function startOfReferenced(text: string): string | null {
  const [, digits] = new RegExp(`^TR(\\d{${decimalDigits}})$`, 'i').exec(text.replace(/[\s-]/g, '')) ?? [];
  const start = digits && BigInt(digits).toString(16).padStart(hexDigits, '0');
  return start?.length === hexDigits ? start : null;
}
