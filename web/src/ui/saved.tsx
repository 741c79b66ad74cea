import { Text } from '@mantine/core';
import { errorMessage } from '../lib/http.ts';

/** What came of saving something, beside its button: read out as soon as it is known. */
export function Saved({ done, error }: { done: string | null; error: Error | null }) {
  return (
    <>
      <div role="status">
        {done && (
          <Text fz="sm" c="var(--cq-good)">
            {done}
          </Text>
        )}
      </div>
      {error && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {errorMessage(error)}
        </Text>
      )}
    </>
  );
}
