import { useCallback } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { SendCurrency } from '#core/money/money';
import { tabStore } from './safe-storage.ts';
import { draftEntry } from './session-storage.ts';

/** What a sender has typed into the form that sends money, before anything of it is a transfer. */
export interface SendingDraft {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: SendCurrency;
  /** Empty until somebody is chosen. */
  readonly recipientId: string;
  /** "YYYY-MM-DD", empty unless asked for. Kept in memory only. */
  readonly birthDate: string;
}

const empty: SendingDraft = { amount: '100', currency: 'USD', recipientId: '', birthDate: '' };

const useDrafts = create<{ userId: string | null; draft: SendingDraft }>()(
  persist((): { userId: string | null; draft: SendingDraft } => ({ userId: null, draft: empty }), {
    name: draftEntry,
    storage: createJSONStorage(() => tabStore),
    partialize: ({ userId, draft }) => ({ userId, draft: { ...draft, birthDate: '' } }),
  }),
);

/**
 * The draft of one person in this tab: it survives signing in again, a reload and other pages. Another person's draft is
 * never shown. `userId` is null for a visitor.
 */
export function useSendingDraft(userId: string | null) {
  const draft = useDrafts((state) => (state.userId === userId ? state.draft : empty));
  const change = useCallback(
    (changes: Partial<SendingDraft>) =>
      useDrafts.setState((state) => ({
        userId,
        draft: { ...(state.userId === userId ? state.draft : empty), ...changes },
      })),
    [userId],
  );
  return { draft, change };
}
