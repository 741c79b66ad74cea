import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { guardRails } from '#core/rates/guard-rails';
import { refreshDesk } from '../../../data/rate-desk.ts';
import { ApiFailure, call, errorMessage } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../../lib/toast.ts';
import { outcomeMessage } from './change-messages.ts';

/** What an admin asks for: a rate as written on the wire, why, and from when on (ISO; absent: at once). */
export interface RateChangeRequest {
  readonly rate: string;
  readonly reason: string | undefined;
  readonly activateAt: string | undefined;
}

/** Asks for a rate. What stands against it (`rate_reason_required`, a field) is shown where it was typed, the rest as a toast. */
export function useAskForRate(currency: SendCurrency, onAccepted: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (request: RateChangeRequest) => call('setRate', { body: { ...request, currency } }),
    onSuccess: async ({ change }) => {
      const { title, message } = outcomeMessage(change);
      toastDone(title, message);
      await refreshDesk(queryClient);
      onAccepted();
    },
    onError: async (error) => {
      if (missingReason(error) || (error instanceof ApiFailure && error.code === 'invalid_input')) return;
      toastError('No se pudo actualizar la tasa', errorMessage(error));
      await refreshDesk(queryClient);
    },
  });
}

/** The guard-rails that want a reason and a second person, when that is why the server refused; else null. */
export function missingReason(error: unknown) {
  if (!(error instanceof ApiFailure) || error.code !== 'rate_reason_required') return null;
  const named = error.details.guardRails;
  const hit = guardRails.filter((rail) => Array.isArray(named) && named.includes(rail));
  return hit.length > 0 ? hit : null;
}

/** Confirms an open change as its second person, or discards it: its requester withdraws it, other admins decline it. */
export function useDecideChange(change: RateChangeView) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (decision: 'confirm' | 'decline') =>
      call(decision === 'confirm' ? 'confirmRateChange' : 'declineRateChange', {
        params: { id: change.id },
      }),
    onSuccess: (outcome, decision) => {
      const message = outcomeMessage(outcome.change);
      if (decision === 'confirm') toastDone(message.title, message.message);
      else toastDone('Cambio descartado', 'La tasa vigente sigue igual.');
      return refreshDesk(queryClient);
    },
    onError: (error) => {
      toastError('No se pudo decidir el cambio', errorMessage(error));
      return refreshDesk(queryClient);
    },
  });
}

/** Tells the panel's badge that something is under way. */
export function usePending(isPending: boolean, setPending: (pending: boolean) => void) {
  useEffect(() => {
    setPending(isPending);
    return () => setPending(false);
  }, [isPending, setPending]);
}
