import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectLive } from '../lib/live.ts';
import { followOtherTabs, useSession } from '../lib/session.ts';

/** Keeps the page connected, anew whenever another person signs in or out. */
export function LiveConnection() {
  const queryClient = useQueryClient();
  const { data, isPending } = useSession();
  const token = data?.token ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token decides which rooms the server puts us in
  useEffect(() => (isPending ? undefined : connectLive(queryClient)), [queryClient, token, isPending]);
  useEffect(() => followOtherTabs(queryClient), [queryClient]);
  return null;
}
