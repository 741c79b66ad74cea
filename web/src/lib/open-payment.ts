import { useLayoutEffect } from 'react';
import { create } from 'zustand';

/**
 * Whether a payment is under way whose outcome must stay on screen: from the moment the card is asked until the person has
 * seen what came of it. Meanwhile nothing takes the page away: no guard, no reload after a deployment.
 */
export const useOpenPayment = create<{ held: boolean }>(() => ({ held: false }));

/** Keeps the page on screen while `held` is true and the component is mounted. */
export function useHoldPage(held: boolean): void {
  useLayoutEffect(() => {
    if (!held) return;
    useOpenPayment.setState({ held: true });
    return () => useOpenPayment.setState({ held: false });
  }, [held]);
}
