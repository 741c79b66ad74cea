/** Files that are uploaded as evidence for disputes. */
import type { Request } from 'express';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { invalidRequest, missingObject } from '../server/errors.ts';
import { expand, oneOf, pages, text, timeRange } from '../server/parameters.ts';
import { type Page, pageOf } from './lists.ts';

/** Stripe's limit for evidence, in bytes. */
export const FILE_BYTES_MAX = 5 * 1024 * 1024;

/** Stripe reads evidence of these kinds only. */
const SIGNATURES = { pdf: '25504446', png: '89504e47', jpg: 'ffd8ff' } as const;

export const createParameters = z.strictObject({
  ...expand,
  purpose: oneOf(['dispute_evidence']),
  file: z.strictObject({ name: text(500), data: text(2 * FILE_BYTES_MAX) }),
});

/** An upload (multipart) as a form: the file's name, and its bytes as base64. Throws when the body is no upload. */
export async function uploadAsForm(request: Request): Promise<string> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  const parts = await new Response(new Uint8Array(request.body as Buffer), { headers }).formData();
  const form = new URLSearchParams();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else {
      form.append(`${name}[name]`, value.name);
      form.append(`${name}[data]`, Buffer.from(await value.arrayBuffer()).toString('base64'));
    }
  }
  return form.toString();
}

export function createFile(call: Call, { purpose, file }: z.infer<typeof createParameters>): Stripe.File {
  const data = Buffer.from(file.data, 'base64');
  const start = data.subarray(0, 4).toString('hex');
  const type = (Object.keys(SIGNATURES) as (keyof typeof SIGNATURES)[]).find((one) =>
    start.startsWith(SIGNATURES[one]),
  );
  if (!type) throw invalidRequest('Evidence must be a PDF, PNG or JPEG file.', { param: 'file' });
  if (data.length > FILE_BYTES_MAX) throw invalidRequest('Evidence can have up to 5 MB.', { param: 'file' });
  const stored: Stripe.File = {
    id: newId('file_1'),
    object: 'file',
    created: call.context.clock.seconds(),
    expires_at: null,
    filename: file.name,
    links: null,
    purpose,
    size: data.length,
    title: null,
    type,
    url: null,
  };
  call.context.storage.insert('file', stored, { data: file.data });
  return stored;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  purpose: text().optional(),
});

export function listFiles(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.File> {
  return pageOf(call.context, 'file', '/v1/files', input, { equal: { purpose: input.purpose } });
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveFile(call: Call, id: string): Stripe.File {
  const file = call.context.storage.find('file', id);
  if (!file) throw missingObject('file', id);
  return file;
}
