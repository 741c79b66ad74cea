import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { accountRoutes } from '#core/contracts/http/account-routes';
import type { IdentityInput, IdentityView } from '#core/contracts/http/identity';
import { accountCall } from '../lib/account-http.ts';
import { callsOf } from '../lib/http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { withStepUp } from '../lib/step-up.ts';
import { readUpload, type UploadControl, uploading } from '../lib/uploads.ts';
import { useOptionalQuery } from './optional-query.ts';
import { withProvenEmail } from './payments.ts';
import { sessionKey } from './query-keys.ts';
import { accountKeys, summaryKey } from './sender-query-keys.ts';

/** How well the signed-in person is known, and what they may send by it. No push says that an admin decided. */
export const identityQuery = queryOptions({
  queryKey: accountKeys.identity,
  queryFn: ({ signal }) => accountCall('getIdentity', { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Whether what the person sent is being reviewed; false while nobody asks. */
export function useIdentityWaits(asked: boolean): boolean {
  const data = useOptionalQuery({ ...identityQuery, enabled: asked });
  return [data?.identity, data?.document].some((check) => check?.state === 'waiting');
}

/** A call that answers with what is known now. What failed because of another state is read again. */
function useIdentityCall<Input>(perform: (input: Input) => Promise<IdentityView>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: (view) => {
      queryClient.setQueryData(identityQuery.queryKey, view);
      void queryClient.invalidateQueries({ queryKey: summaryKey });
      // It says whether the date of birth is known.
      void queryClient.invalidateQueries({ queryKey: sessionKey });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: identityQuery.queryKey }),
  });
}

/** Sends what the person says of themselves. */
export const useSubmitIdentity = () =>
  useIdentityCall((body: IdentityInput) => withProvenEmail(() => accountCall('submitIdentity', { body })));

interface DocumentPictures {
  readonly front: File;
  /** Null where the document has none. */
  readonly back: File | null;
  readonly control: UploadControl;
}

/** Sends pictures of the document. */
export const useSubmitDocument = () =>
  useIdentityCall(async ({ front, back, control }: DocumentPictures) => {
    const body = { front: await readUpload(front), ...(back && { back: await readUpload(back) }) };
    return withStepUp(callsOf(accountRoutes, uploading(control)))('submitDocument', { body });
  });
