import { z } from 'zod';
import { fileNameMax, fileTypes } from '../../files/upload.ts';
import { line } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { senderRoutes } from './sender-routes.ts';
import { base64File, id, timestamp } from './values.ts';

/** A file that a person uploads: a PDF or picture of at most 2 MB, in base64. */
export const fileInput = z.object({
  name: line(fileNameMax),
  type: z.enum(fileTypes),
  data: base64File(2_800_000),
});
export type FileInput = z.input<typeof fileInput>;

/** A file that a sender uploaded. */
export const fileView = z.object({ id, name: z.string(), type: z.enum(fileTypes), size: z.int(), at: timestamp });
export type FileView = z.infer<typeof fileView>;

const params = z.object({ id });
const upload = {
  access: 'sender',
  body: fileInput,
  bodyBytesMax: 3_000_000,
  status: 201,
  response: z.object({ files: z.array(fileView) }),
} as const;

export const fileEndpoints = {
  attachToComplaint: endpoint({
    ...senderRoutes.attachToComplaint,
    ...upload,
    summary: 'Agrega un archivo a un reclamo propio que sigue abierto: PDF, PNG o JPEG, hasta 2 MB y 5 archivos',
    params,
    failures: ['not_found', 'complaint_decided', 'too_many_files', 'too_many_requests'],
  }),
  attachToAnswer: endpoint({
    ...senderRoutes.attachToAnswer,
    ...upload,
    summary: 'Agrega un archivo a la respuesta de una pregunta, antes de enviarla',
    params: z.object({ id, questionId: id }),
    failures: ['not_found', 'question_closed', 'too_many_files', 'too_many_requests'],
  }),
  ownFile: endpoint({
    ...senderRoutes.ownFile,
    summary: 'Un archivo propio, como descarga',
    access: 'sender',
    params,
    answersFile: true,
    status: 200,
    failures: ['not_found'],
  }),
  adminFile: endpoint({
    ...adminRoutes.adminFile,
    summary: 'Un archivo de un remitente, como descarga',
    access: 'admin',
    audit: 'file_read',
    params,
    answersFile: true,
    status: 200,
    failures: ['not_found'],
  }),
};
