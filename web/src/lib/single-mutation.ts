import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * As TanStack's `useMutation`, but asked again while it is under way it does nothing: a button learns with the next render only that
 * it is busy, and the second press of a double click comes before that. What comes of it is not lost by a `reset` either.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isUnderWay.current = false;
      return options.onSettled?.(...settled);
    },
  });
  const { mutate: start, reset: forget } = mutation;
  const mutate = useCallback<typeof start>(
    (...input) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      start(...input);
    },
    [start],
  );
  const reset = useCallback(() => {
    if (!isUnderWay.current) forget();
  }, [forget]);
  return { ...mutation, mutate, reset };
}
