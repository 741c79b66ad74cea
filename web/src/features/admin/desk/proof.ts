import type { z } from 'zod';
import type { proofFile } from '#core/contracts/http/operations';

/** The proof of a payment by other means, as it is sent. */
export type Proof = z.input<typeof proofFile>;

const types = ['application/pdf', 'image/png', 'image/jpeg'] as const satisfies readonly Proof['type'][];
export const proofTypes = types.join(',');
const bytesMax = 2 * 1024 * 1024;
const nameMax = 120;

/** Why a file cannot be a proof, in Spanish; null when it can. */
export function proofProblem(file: File | null): string | null {
  if (!file) return 'Adjunta el comprobante';
  if (!types.some((type) => type === file.type)) return 'Solo PDF, PNG o JPG';
  if (file.size > bytesMax) return 'El archivo pesa más de 2 MB';
  return file.size === 0 ? 'El archivo está vacío' : null;
}

/** Reads a file that `proofProblem` has nothing against. @throws when the browser cannot read it any more. */
export async function readProof(file: File): Promise<Proof> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  // "data:image/png;base64,…"
  const data = address.slice(address.indexOf(',') + 1);
  return { name: file.name.slice(-nameMax), type: file.type as Proof['type'], data };
}
