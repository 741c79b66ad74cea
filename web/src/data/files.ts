import type { QueryClient } from '@tanstack/react-query';
import type { Route } from '#core/contracts/http/routes';
import { addressOf } from '../lib/http.ts';
import { askAgain } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { readUpload } from '../lib/uploads.ts';
import { complaintKeys, transferKeys } from './sender-query-keys.ts';

/** Where a file is downloaded; `route` is the endpoint for its sender or the one for admins. */
export const addressOfFile = (route: Route, id: string) => addressOf(route.path, { id }, {});

/** A file of 2 MB takes longer on a slow connection than any other call, in ms. */
const waitMs = 120_000;

/** Adds a file to a report of the sender's, which is shown with it. @throws ApiFailure, or when the browser cannot read it any more. */
export async function attachToComplaint(
  queryClient: QueryClient,
  { id, transferId }: { id: string; transferId: string },
  file: File,
): Promise<void> {
  await senderCall('attachToComplaint', { params: { id }, body: await readUpload(file), waitMs });
  await askAgain(queryClient, { queryKey: complaintKeys.ofTransfer(transferId) });
  await askAgain(queryClient, { queryKey: complaintKeys.list });
}

/** Adds a file to an answer that is not sent yet. @throws ApiFailure, or when the browser cannot read it any more. */
export async function attachToAnswer(
  queryClient: QueryClient,
  params: { id: string; questionId: string },
  file: File,
): Promise<void> {
  await senderCall('attachToAnswer', { params, body: await readUpload(file), waitMs });
  await queryClient.invalidateQueries({ queryKey: transferKeys.questions(params.id) });
}
