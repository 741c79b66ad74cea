import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useHasInteracted } from '../lib/first-interaction.ts';
import { connectLive } from '../lib/live.ts';
import { followOtherTabs, useSession } from '../lib/session.ts';

/** Keeps the page connected, anew whenever another person signs in or out. */
export function LiveConnection() {
  const queryClient = useQueryClient();
  const { data, isPending } = useSession();
  const token = data?.token ?? null;
  const isNeeded = useHasInteracted();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token decides which rooms the server puts us in
  useEffect(
    () => (isPending || !isNeeded ? undefined : connectLive(queryClient)),
    [queryClient, token, isPending, isNeeded],
  );
  useEffect(() => followOtherTabs(queryClient), [queryClient]);
  return null;
}
