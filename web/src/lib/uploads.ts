import { t } from '@lingui/core/macro';
import type { FileInput } from '#core/contracts/http/files';
import { fileBytesMax, fileNameMax, fileTypes } from '#core/files/upload';

/** Types of files for a field that picks them. */
export const acceptedTypes = fileTypes.join(',');

/** Why a file cannot be uploaded; null when it can. */
export function uploadProblem(file: File): string | null {
  if (!fileTypes.some((type) => type === file.type)) return t`Solo PDF, PNG o JPG`;
  if (file.size > fileBytesMax) return t`El archivo pesa más de 2 MB`;
  return file.size === 0 ? t`El archivo está vacío` : null;
}

/** Reads a file that `uploadProblem` has nothing against. @throws when the browser cannot read it any more. */
export async function readUpload(file: File): Promise<FileInput> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  // "data:image/png;base64,…"
  const data = address.slice(address.indexOf(',') + 1);
  return { name: file.name.slice(-fileNameMax), type: file.type as FileInput['type'], data };
}
