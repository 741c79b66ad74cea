import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';

/** What broke in a browser, without anything that could name a person: no message, no address, only where in our own files. */
export const clientError = z.object({
  /** Name of the error's class, "TypeError". */
  kind: z.string().regex(/^\w{1,60}$/),
  /** Stack frames in our files, deepest first: "dashboard-D3a1.js:1:2345". */
  frames: z.array(z.string().regex(/^[\w.~-]{1,120}:\d{1,9}:\d{1,9}$/)).max(12),
  /** The route as routes.ts writes it, "/recibo/:id". */
  page: z.string().regex(/^\/[\w/:*-]{0,60}$/),
  /** The build that the page came from. */
  build: z.string().regex(/^[\w-]{0,40}$/),
  /** The request or push that came before it: its log lines and its trace have these ids. */
  requestId: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,64}$/)
    .optional(),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
});
export type ClientError = z.infer<typeof clientError>;

export const clientErrorEndpoints = {
  reportClientError: endpoint({
    ...routes.reportClientError,
    summary: 'Avisa de un error del navegador, sin datos personales',
    access: 'public',
    body: clientError,
    failures: ['too_many_requests'],
  }),
};
