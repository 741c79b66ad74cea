import { t } from '@lingui/core/macro';
import type { FileInput } from '#core/contracts/http/files';
import { fileBytesMax, fileNameMax, fileTypes } from '#core/files/upload';
import { noteBuild } from './document.ts';
import { failureMessages } from './failure-messages.ts';
import { ApiFailure, headersOf, type Perform } from './http.ts';

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

/** Follows an upload while it is under way, and ends it. */
export interface UploadControl {
  readonly signal: AbortSignal;
  /** Called with the share that was sent, 0 to 1; with 1 the server has all of it and answers next. */
  readonly onProgress: (share: number) => void;
}

/** How long nothing may move, in ms: on a slow line a file takes minutes, and every piece of it starts the time anew. */
const silenceMsMax = 30_000;

/** Sends a request as calls do, but says how much of it was sent: `fetch` cannot. For `callsOf`. */
export const uploading =
  ({ signal, onProgress }: UploadControl): Perform =>
  (address, method, input) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout> | undefined;
      let silent = false;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          silent = true;
          request.abort();
        }, silenceMsMax);
      };
      const fail = (code: 'offline' | 'timeout') =>
        reject(new ApiFailure(0, code, { code, message: failureMessages[code] }));
      request.upload.onprogress = ({ loaded, total }) => {
        wait();
        onProgress(total > 0 ? loaded / total : 0);
      };
      request.onload = () => {
        const { status, responseText, statusText } = request;
        noteBuild(request.getResponseHeader('x-build'));
        resolve({ ok: status >= 200 && status < 300, status, body: responseText || statusText });
      };
      request.onerror = () => fail('offline');
      request.onabort = () => (silent ? fail('timeout') : reject(signal.reason));
      request.onloadend = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => request.abort();
      request.open(method, address);
      for (const [name, value] of Object.entries(headersOf(true, input))) request.setRequestHeader(name, value);
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', abort);
      wait();
      request.send(JSON.stringify(input?.body ?? {}));
    });
