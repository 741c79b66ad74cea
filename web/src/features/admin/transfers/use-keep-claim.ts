import { useWindowEvent } from '@mantine/hooks';
import type { ReviewView } from '#core/contracts/http/review';
import { useClaim } from '../../../data/reviews.ts';

/** With less than this left, in ms, work on a transfer takes it for longer: at most one call in two minutes. */
const extendFromMs = 8 * 60_000;

/** Takes a transfer that the admin has for longer, as long as they press keys or the pointer while it is open. */
export function useKeepClaim({ id, claim }: Pick<ReviewView, 'id' | 'claim'>, adminId: string | undefined): void {
  const extend = useClaim(id);
  const keep = () => {
    const leftMs = claim && claim.by_id === adminId ? Date.parse(claim.until) - Date.now() : 0;
    if (leftMs > 0 && leftMs < extendFromMs) extend.mutate(true);
  };
  useWindowEvent('keydown', keep);
  useWindowEvent('pointerdown', keep);
}
