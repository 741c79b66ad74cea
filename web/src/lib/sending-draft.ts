import { t } from '@lingui/core/macro';
import { useCallback } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import { ageOn, maximumAge, minimumAge } from '#core/transfers/sender-age';
import { formatAmount } from './format/money.ts';
import { amountTooSmall, underAge } from './limit-messages.ts';
import { draftEntry, tabStore } from './storage.ts';

/** What a sender has typed into the form that sends money, before anything of it is a transfer. */
export interface SendingDraft {
  /** What the card pays, decimal text. */
  readonly amount: string;
  /** Bolivianos that have to arrive, decimal text, where they decide and `amount` follows from them; null where `amount` was typed. */
  readonly receive: string | null;
  readonly currency: SendCurrency;
  /** Empty until somebody is chosen. */
  readonly recipientId: string;
  /** "YYYY-MM-DD", empty unless asked for. Kept in memory only. */
  readonly birthDate: string;
}

const empty: SendingDraft = { amount: '100', receive: null, currency: 'USD', recipientId: '', birthDate: '' };

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
        draft: {
          ...(state.userId === userId ? state.draft : empty),
          ...('amount' in changes && { receive: null }),
          ...changes,
        },
      })),
    [userId],
  );
  return { draft, change };
}

/** What is said of less than may be sent. */
export const belowMinimum = (): string => amountTooSmall(formatMinor(minimumMinor));

/** What is wrong with a text that is no amount above zero, or null; an empty one is only unfinished. */
export function malformedAmount(text: string): string | null {
  return text === '' || (parseMinor(text) ?? 0n) > 0n ? null : t`Escribe un monto válido, por ejemplo 100 o 99,50`;
}

/** What is wrong with the typed amount, or null. `maximum` is the server's, null until it is known. */
export function amountProblem(amount: string, currency: SendCurrency, maximum: string | null): string | null {
  if (amount === '') return null;
  const minor = parseMinor(amount);
  if (minor === null) return t`Escribe un monto válido, por ejemplo 100 o 99,50`;
  if (minor < minimumMinor) return belowMinimum();
  const most = maximum === null ? null : parseMinor(maximum);
  if (most === null || minor <= most) return null;
  const limit = formatAmount(maximum ?? '', currency);
  return t`El monto máximo por envío es de ${limit}.`;
}

/** What is wrong with a sender's date of birth ("YYYY-MM-DD") on the day of `now`, or null. */
export function birthDateProblem(birthDate: string, now: Date): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(birthDate)) return t`Escribe tu fecha de nacimiento`;
  const age = ageOn(birthDate, now);
  if (age > maximumAge) return t`Revisa el año de tu fecha de nacimiento`;
  return age < minimumAge ? underAge(minimumAge) : null;
}
