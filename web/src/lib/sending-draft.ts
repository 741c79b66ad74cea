import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import { ageOn, maximumAge, minimumAge } from '#core/transfers/sender-age';
import { formatAmount } from './format/money.ts';
import { amountTooSmall, underAge } from './limit-messages.ts';
import { sendFormId } from './paths.ts';
import { draftEntry, localStore } from './storage.ts';

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

/** An amount, in the card's currency or in the bolivianos that have to arrive. */
interface AskedAmount {
  readonly amount: string;
  readonly currency: SendCurrency;
  readonly side?: 'pay' | 'receive';
}

/** What a quote is asked for by a draft. */
export const questionOf = ({ amount, receive, currency }: SendingDraft): Required<AskedAmount> =>
  receive === null ? { amount, currency, side: 'pay' } : { amount: receive, currency, side: 'receive' };

/** What a draft becomes by it. A currency that was not chosen stays the usual one. */
export const draftChanges = (draft: SendingDraft, { amount, currency, side }: AskedAmount): Partial<SendingDraft> => ({
  ...(side === 'receive' ? { receive: amount } : { amount }),
  ...(currency !== draft.currency && { currency }),
});

/** A draft as it is kept; no currency until one is chosen. */
type Kept = Omit<SendingDraft, 'currency'> & { readonly currency: SendCurrency | null };

interface Drafts {
  readonly userId: string | null;
  readonly draft: Kept;
}

const empty: Kept = { amount: '100', receive: null, currency: null, recipientId: '', birthDate: '' };

const useDrafts = create<Drafts>()(
  persist((): Drafts => ({ userId: null, draft: empty }), {
    name: draftEntry,
    storage: createJSONStorage(() => localStore),
    partialize: ({ userId, draft }) => ({ userId, draft: { ...draft, birthDate: '' } }),
    merge: (stored, { userId, draft }) => {
      const kept = stored as Drafts | undefined;
      if (!kept) return { userId, draft };
      return { ...kept, draft: { ...empty, ...kept.draft, birthDate: kept.userId === userId ? draft.birthDate : '' } };
    },
  }),
);

/**
 * The draft of one person in this browser: it survives signing in again, a reload, other pages and another tab, which all
 * tabs follow. Another person's draft is never shown. `userId` is null for a visitor; `usual` is the currency until one is chosen.
 */
export function useSendingDraft(userId: string | null, usual: SendCurrency = 'USD') {
  const kept = useDrafts((state) => (state.userId === userId ? state.draft : empty));
  const draft = useMemo(() => ({ ...kept, currency: kept.currency ?? usual }), [kept, usual]);
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
  useEffect(followOtherTabs, []);
  return { draft, change };
}

/** Takes over what another tab wrote, unless somebody is typing into the form of this one: then once they leave the field. */
function followOtherTabs(): () => void {
  const follow = () => void useDrafts.persist.rehydrate();
  const onStored = ({ key }: StorageEvent) => {
    if (key !== draftEntry) return;
    const field = document.hasFocus() && document.activeElement?.closest(`#${sendFormId} input`);
    if (field) field.addEventListener('blur', follow, { once: true });
    else follow();
  };
  follow();
  window.addEventListener('storage', onStored);
  return () => window.removeEventListener('storage', onStored);
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
