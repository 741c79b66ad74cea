/**
 * A new random UUID (version 4). `crypto.randomUUID` is missing on plain-http addresses, as of a demonstration in a local network; what
 * this is made of is not.
 */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // The digits of version and variant are fixed.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
