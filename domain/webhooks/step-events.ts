import { formatMinor } from '#core/money/money';
import { eventOfState, webhookVersion } from '#core/webhooks/events';
import type { StepSubscriber } from '../transfers/steps.ts';
import { addDeliveries } from './delivery.repository.ts';

/** Writes the event of a move for the partners' subscribed endpoints. */
export const writeStepEvents: StepSubscriber = async (em, { to, transfer, at }) => {
  const eventType = to && eventOfState[to];
  // A payment that ended before an authorization is not reported.
  if (!eventType || !transfer.paidAt) return;
  const { id: transferId, state, version, currency } = transfer;
  const eventId = `evt_${transferId.replaceAll('-', '')}_${version}`;
  const body = {
    ...{ id: eventId, type: eventType, version: webhookVersion, created: at.toISOString() },
    transfer: {
      ...{ id: transferId, state, version, amount: formatMinor(transfer.amountMinor), currency },
      ...{ bolivianos: formatMinor(transfer.bolivianosMinor), returned: formatMinor(transfer.returnedMinor) },
    },
  };
  await addDeliveries(em, { eventId, eventType, transferId, body, at });
};
