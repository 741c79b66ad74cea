import type { QueryClient } from '@tanstack/react-query';
import type { Route } from '#core/contracts/http/routes';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import { addressOf, callsOf } from '../lib/http.ts';
import { askAgain } from '../lib/live.ts';
import { withStepUp } from '../lib/step-up.ts';
import { readUpload, type UploadControl, uploading } from '../lib/uploads.ts';
import { complaintKeys, transferKeys } from './sender-query-keys.ts';

/** Where a file is downloaded; `route` is the endpoint for its sender or the one for admins. */
export const addressOfFile = (route: Route, id: string) => addressOf(route.path, { id }, {});

const uploadCall = (control: UploadControl) => withStepUp(callsOf(senderRoutes, uploading(control)));

/** Adds a file to a report of the sender's, which is shown with it. @throws ApiFailure, or when the browser cannot read it any more. */
export async function attachToComplaint(
  queryClient: QueryClient,
  { id, transferId }: { id: string; transferId: string },
  file: File,
  control: UploadControl,
): Promise<void> {
  await uploadCall(control)('attachToComplaint', { params: { id }, body: await readUpload(file) });
  await askAgain(queryClient, { queryKey: complaintKeys.ofTransfer(transferId) });
  await askAgain(queryClient, { queryKey: complaintKeys.list });
}

/** Adds a file to an answer that is not sent yet. @throws ApiFailure, or when the browser cannot read it any more. */
export async function attachToAnswer(
  queryClient: QueryClient,
  params: { id: string; questionId: string },
  file: File,
  control: UploadControl,
): Promise<void> {
  await uploadCall(control)('attachToAnswer', { params, body: await readUpload(file) });
  await queryClient.invalidateQueries({ queryKey: transferKeys.questions(params.id) });
}
